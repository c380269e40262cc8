import { describe, expect, it } from "vitest";
import type { ProcessSystem } from "./process-system.js";
import type { ProcessRow } from "./process-table.js";
import { createProcessTree } from "./process-tree.js";
import { stopTree } from "./stop-tree.js";

type Ids = readonly [pid: number, parent: number, group: number, session?: number];

/** A process that starts at its own id's time. */
const row = (...[pid, parent, group, session = group]: Ids): ProcessRow => ({
  pid,
  parent,
  group,
  session,
  start: String(pid),
  ended: false,
});

interface FakeSystem extends ProcessSystem {
  rows: readonly ProcessRow[];
  readonly signals: string[];
  /** What a signal does to the rows. */
  onSignal: (target: number, signal: string) => void;
}

/** A machine of which the test decides what runs; its clock only goes forward by sleeping. */
function createSystem(rows: readonly ProcessRow[]): FakeSystem {
  let nowMs = 0;
  const system: FakeSystem = {
    rows,
    signals: [],
    onSignal: () => undefined,
    readTable: async () => system.rows,
    signal(target, signal) {
      const exists = system.rows.some((each) => each.pid === target || each.group === -target);
      if (signal === 0) return exists;
      system.signals.push(`${signal} ${target}`);
      system.onSignal(target, signal);
      return exists;
    },
    sleep: async (delayMs) => {
      nowMs += delayMs;
    },
    now: () => nowMs,
  };
  return system;
}

const toPids = (rows: readonly ProcessRow[]): readonly number[] =>
  rows.map(({ pid }) => pid).toSorted((a, b) => a - b);

describe("createProcessTree", () => {
  it("finds members by group, session and parent, and nobody else", async () => {
    const others = [row(1, 0, 1), row(5, 1, 5), row(6, 5, 5)];
    const members = [
      row(10, 5, 10),
      row(11, 10, 10),
      row(12, 1, 12, 10), // left the group, its parent is gone
      row(13, 11, 13), // a session of its own
      row(14, 1, 14, 13), // of that session, its parent is gone
      row(15, 14, 15), // a session inside
    ];
    const tree = createProcessTree(10, createSystem([...others, ...members]));
    expect(toPids(await tree.findMembers())).toEqual([10, 11, 12, 13, 14, 15]);
  });

  it("remembers one that left, after its parent is gone", async () => {
    const system = createSystem([row(10, 5, 10), row(13, 10, 13)]);
    const tree = createProcessTree(10, system);
    await tree.findMembers();
    system.rows = [row(13, 1, 13)];
    expect(toPids(await tree.findMembers())).toEqual([13]);
  });

  it("does not take a later process of the same id for one it remembers", async () => {
    const system = createSystem([row(10, 5, 10), row(13, 10, 13)]);
    const tree = createProcessTree(10, system);
    await tree.findMembers();
    system.rows = [row(10, 5, 10), { ...row(13, 1, 13), start: "later" }];
    expect(toPids(await tree.findMembers())).toEqual([10]);
  });

  it("gives up the leader's number once its session was seen empty", async () => {
    const system = createSystem([row(10, 5, 10)]);
    const tree = createProcessTree(10, system);
    system.rows = [];
    await tree.findMembers();
    expect(tree.ownsNumber()).toBe(false);
    system.rows = [row(10, 1, 10), row(11, 10, 10)];
    await tree.kill();
    expect(await tree.findMembers()).toEqual([]);
    expect(system.signals).toEqual([]);
  });

  it("keeps the number while only zombies have it, and counts them as ended", async () => {
    const system = createSystem([{ ...row(11, 1, 10), ended: true }]);
    const tree = createProcessTree(10, system);
    expect(await tree.findMembers()).toEqual([]);
    expect(tree.ownsNumber()).toBe(true);
  });

  it("stops every member before it kills one, also those that appear meanwhile", async () => {
    const system = createSystem([row(10, 5, 10), row(13, 10, 13)]);
    system.onSignal = (target, signal) => {
      if (target === 13 && signal === "SIGSTOP") system.rows = [...system.rows, row(20, 13, 20)];
    };
    await createProcessTree(10, system).kill();
    expect(system.signals).toEqual([
      "SIGSTOP 10",
      "SIGSTOP 13",
      "SIGSTOP 20",
      "SIGKILL -10",
      "SIGKILL 13",
      "SIGKILL 20",
    ]);
  });
});

const startStop = (
  system: FakeSystem,
  hurry: AbortSignal = new AbortController().signal,
): Promise<void> => {
  const tree = createProcessTree(10, system);
  const endInput = (): void => void system.signals.push("EOF");
  return stopTree({ tree, system, endInput, hasExited: () => false, hurry }, {});
};

describe("stopTree", () => {
  it("closes the input, then asks, then kills, a second apart", async () => {
    const system = createSystem([row(10, 5, 10)]);
    const times: string[] = [];
    system.onSignal = (target, signal) => {
      times.push(`${signal} ${system.now()}`);
      if (signal === "SIGKILL") system.rows = [];
    };
    await startStop(system);
    expect(times).toEqual(["SIGTERM 1000", "SIGSTOP 2000", "SIGKILL 2000"]);
    expect(system.signals[0]).toBe("EOF");
  });

  it("kills at once when hurried", async () => {
    const system = createSystem([row(10, 5, 10)]);
    system.onSignal = (target, signal) => {
      if (signal === "SIGKILL") system.rows = [];
    };
    await startStop(system, AbortSignal.abort());
    expect(system.signals).toEqual(["EOF", "SIGSTOP 10", "SIGKILL -10"]);
    expect(system.now()).toBe(0);
  });

  it("is over when only zombies are left", async () => {
    const system = createSystem([{ ...row(10, 5, 10), ended: true }]);
    await startStop(system);
    expect(system.signals).toEqual(["EOF"]);
    expect(system.now()).toBeLessThan(1_000);
  });

  it("names what survives SIGKILL for five seconds", async () => {
    const system = createSystem([row(10, 5, 10), row(11, 10, 10)]);
    await expect(startStop(system)).rejects.toMatchObject({
      code: "STOP_FAILED",
      data: { pids: [10, 11] },
    });
    expect(system.now()).toBeGreaterThanOrEqual(7_000);
  });
});
