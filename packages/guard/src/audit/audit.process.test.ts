import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import {
  createCallContext,
  createResult,
  errorResult,
  findResultError,
  type CallOutcome,
  type JsonObject,
  type Listing,
} from "@postern/tool";
import { bundleSource, openFolder, type Folder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import {
  audit,
  openAuditLog,
  readAudit,
  verifyAudit,
  type AuditOptions,
  type SegmentState,
} from "../audit.js";
import { auditErrors } from "./errors.js";

interface Bench extends Folder {
  readonly log: string;
  /** The segments' files. */
  segments(): Promise<readonly string[]>;
  /** The records, parsed. */
  records(): Promise<readonly JsonObject[]>;
  states(): Promise<readonly SegmentState[]>;
}

async function openBench(): Promise<Bench> {
  const folder = await openFolder();
  const log = folder.join("audit");
  const segments = async (): Promise<readonly string[]> =>
    (await readdir(log)).filter((name) => name.endsWith(".jsonl")).toSorted();
  return {
    ...folder,
    log,
    segments,
    async records() {
      const texts = (await segments()).map((name) => readFile(join(log, name), "utf8"));
      const lines = (await Promise.all(texts)).flatMap((text) => text.split("\n").slice(0, -1));
      return lines.map((line) => JSON.parse(line) as JsonObject);
    },
    states: async () => (await verifyAudit(log)).segments.map(({ state }) => state),
  };
}

async function write(bench: Bench, count: number): Promise<void> {
  await using log = await openAuditLog({ folder: bench.log });
  await Promise.all(Array.from({ length: count }, (_, at) => log.record({ at })));
}

async function edit(bench: Bench, change: (text: string) => string): Promise<void> {
  const [name = ""] = await bench.segments();
  const path = join(bench.log, name);
  await writeFile(path, change(await readFile(path, "utf8")));
}

describe("openAuditLog() and verifyAudit()", () => {
  it("keeps records in order, in private files, and finds them whole", async () => {
    await using bench = await openBench();
    await write(bench, 100);
    expect((await bench.records()).map(({ at, seq }) => [at, seq])).toEqual([
      [undefined, 1],
      ...Array.from({ length: 100 }, (_, at) => [at, at + 2]),
    ]);
    expect((await readAudit(bench.log, 2)).map(({ at }) => at)).toEqual([98, 99]);
    expect(await verifyAudit(bench.log)).toMatchObject({
      isWhole: true,
      segments: [{ state: "whole", records: 101, problem: "" }],
    });
    const [name = ""] = await bench.segments();
    const modes = [".", "heads", "audit.key", name, `heads/${name}.head`].map(
      async (each) => (await stat(join(bench.log, each))).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600, 0o600, 0o600]);
  });

  it("is whole where nothing was ever written", async () => {
    await using bench = await openBench();
    expect(await verifyAudit(bench.log)).toEqual({ isWhole: true, segments: [] });
  });

  it("begins a new segment when one is long, which names the one before", async () => {
    await using bench = await openBench();
    await using log = await openAuditLog({ folder: bench.log, maxSegmentBytes: 2_000 });
    for (let at = 0; at < 100; at += 1) await log.record({ at });
    await log.close();
    const states = await bench.states();
    expect(states.length).toBeGreaterThan(5);
    expect(new Set(states)).toEqual(new Set(["whole"]));
    expect((await bench.records()).flatMap(({ at }) => at ?? [])).toEqual(
      Array.from({ length: 100 }, (_, at) => at),
    );
  });

  it.each<[string, (text: string) => string, SegmentState]>([
    ["one changed byte", (text) => text.replace('"at":7', '"at":8'), "changed"],
    ["a removed line", (text) => text.split("\n").toSpliced(5, 1).join("\n"), "changed"],
    [
      "swapped lines",
      (text) =>
        text
          .split("\n")
          .with(5, text.split("\n")[6] ?? "")
          .with(6, text.split("\n")[5] ?? "")
          .join("\n"),
      "changed",
    ],
    [
      "a removed last record",
      (text) => `${text.trimEnd().split("\n").slice(0, -1).join("\n")}\n`,
      "cut",
    ],
    ["everything removed", () => "", "cut"],
    ["a line of somebody else's", (text) => `${text}{"at":1}\n`, "changed"],
    ["a torn end", (text) => `${text}{"at":1`, "torn"],
  ])("finds %s", async (_what, change, state) => {
    await using bench = await openBench();
    await write(bench, 20);
    await edit(bench, change);
    expect(await bench.states()).toEqual([state]);
    expect((await verifyAudit(bench.log)).isWhole).toBe(state === "torn");
  });

  it("finds a removed segment, a removed head, and one that is replaced", async () => {
    await using bench = await openBench();
    await using other = await openBench();
    await write(other, 20);
    await write(bench, 20);
    const [name = ""] = await bench.segments();
    const [foreign = ""] = await other.segments();
    const kept = bench.join("kept");
    await cp(bench.log, kept, { recursive: true });
    const restore = async (): Promise<void> => {
      await rm(bench.log, { recursive: true });
      await cp(kept, bench.log, { recursive: true });
      await chmod(bench.log, 0o700);
    };
    await rm(join(bench.log, name));
    expect(await bench.states()).toEqual(["missing"]);
    await restore();
    await rm(join(bench.log, "heads", `${name}.head`));
    expect(await bench.states()).toEqual(["unknown"]);
    await restore();
    await cp(join(other.log, foreign), join(bench.log, name));
    expect(await bench.states()).toEqual(["replaced"]);
    await restore();
    for (const each of [foreign, `heads/${foreign}.head`])
      await cp(join(other.log, each), join(bench.log, each));
    expect((await bench.states()).toSorted()).toEqual(["replaced", "whole"]);
    await restore();
    await rename(join(bench.log, name), join(bench.log, `2020-${name}`));
    expect((await bench.states()).toSorted()).toEqual(["missing", "replaced"]);
  });

  it("loses no acknowledged record of 8 processes that are killed at any moment", async () => {
    await using bench = await openBench();
    const program = await bundleSource(
      new URL("../../fixtures/write-audit.ts", import.meta.url).pathname,
      bench.path,
    );
    const acknowledged = await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        const child = spawn(process.execPath, [program, bench.log, String(worker), "1000"]);
        let text = "";
        child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
        const killAt = worker % 2 === 0 ? 100 * worker + 37 : 2_000;
        child.stdout.on("data", () => {
          if (text.split("\n").length > killAt) child.kill("SIGKILL");
        });
        await once(child, "close");
        return text.split("\n").slice(0, -1).length;
      }),
    );
    const { segments } = await verifyAudit(bench.log);
    expect(segments.filter(({ state }) => state !== "whole" && state !== "torn")).toEqual([]);
    const records = await bench.records();
    for (const [worker, count] of acknowledged.entries()) {
      const kept = records
        .filter((record) => record["worker"] === String(worker))
        .map(({ at }) => at);
      expect([worker, kept.length >= count]).toEqual([worker, true]);
      expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => at));
    }
    expect(acknowledged.filter((count) => count === 1_000)).toHaveLength(4);
  });

  it("refuses a folder in which others can write, and a key that is none", async () => {
    await using bench = await openBench();
    await mkdir(bench.log);
    await chmod(bench.log, 0o777);
    await expect(openAuditLog({ folder: bench.log })).rejects.toMatchObject({
      code: "NOT_PRIVATE",
    });
    await chmod(bench.log, 0o700);
    await appendFile(join(bench.log, "audit.key"), "no key");
    await expect(openAuditLog({ folder: bench.log })).rejects.toMatchObject({
      code: "AUDIT_KEY_BROKEN",
    });
  });
});

const listing: Listing = {
  kind: "tool",
  server: "s",
  name: "s_tool",
  originalName: "tool",
  tags: [],
  checkpaths: [],
  raw: {},
};

const run = (
  options: AuditOptions,
  args: JsonObject,
  outcome: () => Promise<CallOutcome> = () => Promise.resolve(createResult({ content: [] })),
): Promise<CallOutcome> =>
  audit(options)(outcome)({
    name: "s_tool",
    method: "tools/call",
    listing,
    arguments: args,
    context: createCallContext({ caller: { kind: "owner", id: "me", scopes: [] } }),
  });

describe("audit()", () => {
  it("records who called what, how it ended, and of arguments no value but those that are kept", async () => {
    await using bench = await openBench();
    await using log = await openAuditLog({ folder: bench.log });
    let time = 10;
    const options: AuditOptions = { log, keep: ["path", "note"], now: () => (time += 5) };
    const args = {
      path: "a.txt",
      note: "key sk-abcdefghijklmnopqrstuvwx",
      content: "geheim",
      n: [1],
    };
    await run(options, args);
    await run(options, args, () =>
      Promise.resolve(errorResult(auditErrors.AUDIT_FAILED({ reason: "x" }))),
    );
    await expect(run(options, {}, () => Promise.reject(new RangeError("no")))).rejects.toThrow(
      "no",
    );
    await log.close();
    const [, first, second, third] = await bench.records();
    expect(first).toMatchObject({
      event: "result",
      ms: 5,
      caller: { kind: "owner", id: "me" },
      server: "s",
      tool: "s_tool",
      outcome: "ok",
      arguments: [
        { name: "path", type: "string", size: 5, value: "a.txt" },
        { name: "note", value: "key [redacted]" },
        { name: "content", type: "string", size: 6, mark: expect.stringMatching(/^[\da-f]{32}$/) },
        { name: "n", type: "array", size: 3 },
      ],
    });
    expect([second, third].map((record) => [record?.["outcome"], record?.["code"]])).toEqual([
      ["refused", "AUDIT_FAILED"],
      ["rejected", "INTERNAL_ERROR"],
    ]);
    const text = await readFile(join(bench.log, (await bench.segments())[0] ?? ""), "utf8");
    expect(text).not.toContain("geheim");
    expect(text).not.toContain("sk-abc");
  });

  it("records a call before it is made where that must last", async () => {
    await using bench = await openBench();
    await using log = await openAuditLog({ folder: bench.log });
    let seen: readonly JsonObject[] = [];
    await run({ log, durable: true }, {}, async () => {
      seen = await bench.records();
      return createResult({ content: [] });
    });
    expect(seen.map(({ event }) => event)).toEqual(["begin", "call"]);
    expect((await bench.records()).map(({ event }) => event)).toEqual(["begin", "call", "result"]);
  });

  it.each([
    ["refuse", "AUDIT_FAILED"],
    ["report", undefined],
  ] as const)("with %s comes to %s where it cannot record", async (onFailure, code) => {
    await using bench = await openBench();
    const log = await openAuditLog({ folder: bench.log });
    await log.close();
    const errors: unknown[] = [];
    const options: AuditOptions = {
      log,
      onFailure,
      durable: true,
      onError: (error) => errors.push(error),
    };
    expect(findResultError(await run(options, {}))?.code).toBe(code);
    expect(errors[0]).toMatchObject({ code: "FILE_CLOSED" });
  });
});
