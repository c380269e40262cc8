import { once } from "node:events";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { withFileLock } from "./index.js";
import { readOwnIdentity } from "./process-identity.js";
import { createContender } from "./try-lock.js";

const id = "0123456789abcdef";
const noId = 4_194_305;

async function writeLock(path: string, change: object): Promise<void> {
  await writeFile(path, JSON.stringify({ id, ...(await readOwnIdentity()), ...change }));
}

/** The start time of a process, as the system tells it. */
async function readStart(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(") ") + 2).split(" ")[19] ?? "";
}

describe("withFileLock", () => {
  it("gives the work's result, holds a lock file meanwhile, and leaves nothing", async () => {
    await using folder = await openFolder();
    const during = await withFileLock(folder.join("a"), () => readdir(folder.path));
    expect(during).toContain("a.lock");
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("gives the lock back when the work fails", async () => {
    await using folder = await openFolder();
    const failure = new RangeError("no");
    await expect(withFileLock(folder.join("a"), () => Promise.reject(failure))).rejects.toBe(
      failure,
    );
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("serves the tasks of one process in order, one at a time", async () => {
    await using folder = await openFolder();
    const log: string[] = [];
    const task = (name: string): Promise<void> =>
      withFileLock(folder.join("a"), async () => {
        log.push(`+${name}`);
        await new Promise((resolve) => setTimeout(resolve, 1));
        log.push(`-${name}`);
      });
    await Promise.all(["1", "2", "3"].map(task));
    expect(log).toEqual(["+1", "-1", "+2", "-2", "+3", "-3"]);
  });

  it("lets the others go on after one that gave up waiting", async () => {
    await using folder = await openFolder();
    const gate = new AbortController();
    const opened = once(gate.signal, "abort");
    const first = withFileLock(folder.join("a"), () => opened);
    const second = withFileLock(folder.join("a"), async () => "second", { timeoutMs: 20 });
    const third = withFileLock(folder.join("a"), async () => "third");
    await expect(second).rejects.toMatchObject({ code: "LOCK_TIMEOUT" });
    gate.abort();
    await first;
    expect(await third).toBe("third");
  });

  it("gives up when the caller does", async () => {
    await using folder = await openFolder();
    await withFileLock(folder.join("a"), async () => {
      const waiting = new AbortController();
      const work = withFileLock(folder.join("a"), async () => 1, { signal: waiting.signal });
      setTimeout(() => waiting.abort(), 10);
      await expect(work).rejects.toMatchObject({ code: "LOCK_ABORTED" });
    });
    await writeLock(folder.join("b.lock"), {});
    const waiting = AbortSignal.timeout(20);
    const work = withFileLock(folder.join("b"), async () => 1, { signal: waiting });
    await expect(work).rejects.toMatchObject({ code: "LOCK_ABORTED" });
  });

  it("takes over the lock of a process that is no more", async () => {
    await using folder = await openFolder();
    await writeLock(folder.join("a.lock"), { pid: noId });
    expect(await withFileLock(folder.join("a"), async () => 1, { timeoutMs: 500 })).toBe(1);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("takes over a lock that names a living process with another start time", async () => {
    await using folder = await openFolder();
    await writeLock(folder.join("a.lock"), { pid: process.ppid, start: "1" });
    expect(await withFileLock(folder.join("a"), async () => 1, { timeoutMs: 500 })).toBe(1);
  });

  it("honours a lock that names a living process with its start time, and names it", async () => {
    await using folder = await openFolder();
    const start = await readStart(process.ppid);
    await writeLock(folder.join("a.lock"), { pid: process.ppid, start });
    const work = withFileLock(folder.join("a"), async () => 1, { timeoutMs: 100 });
    await expect(work).rejects.toMatchObject({
      code: "LOCK_TIMEOUT",
      data: { lock: folder.join("a.lock"), holder: `process ${process.ppid}` },
    });
    expect(await readdir(folder.path)).toEqual(["a.lock"]);
  });

  it("takes over a lock from before the machine was restarted", async () => {
    await using folder = await openFolder();
    await writeLock(folder.join("a.lock"), { boot: "000000000000" });
    expect(await withFileLock(folder.join("a"), async () => 1, { timeoutMs: 500 })).toBe(1);
  });

  it("honours the lock of another machine or container, whose processes it cannot see", async () => {
    await using folder = await openFolder();
    await writeLock(folder.join("a.lock"), { pid: noId, place: "000000000000" });
    const work = withFileLock(folder.join("a"), async () => 1, { timeoutMs: 50 });
    await expect(work).rejects.toMatchObject({
      code: "LOCK_TIMEOUT",
      data: { holder: `process ${noId} of another machine or container` },
    });
  });

  it.each(["", "{", "{}", '{"id":"../x","pid":1}', "null"])(
    "takes over a text that is no lock once it stays the same for two seconds: %j",
    async (text) => {
      await using folder = await openFolder();
      await writeFile(folder.join("a.lock"), text);
      let nowMs = 0;
      const contender = await createContender(folder.join("a.lock"), () => nowMs);
      const holder = "nobody known (its text is not a lock's)";
      expect(await contender.tryLock()).toEqual({ held: false, holder });
      nowMs = 1_999;
      expect(await contender.tryLock()).toEqual({ held: false, holder });
      await utimes(folder.join("a.lock"), 1, 1);
      nowMs = 2_000;
      expect(await contender.tryLock()).toEqual({ held: false, holder });
      nowMs = 4_000;
      expect(await contender.tryLock()).toEqual({ held: true });
      contender.release();
      expect(await readdir(folder.path)).toEqual([]);
    },
  );

  it("finishes the take-over that another process died in", async () => {
    await using folder = await openFolder();
    await writeLock(folder.join("a.lock"), { pid: noId });
    await writeLock(folder.join(`a.lock.${id}`), { pid: noId, id: "1111111111111111" });
    await writeLock(folder.join(`a.lock.${id}.1111111111111111`), {
      pid: noId,
      id: "2222222222222222",
    });
    expect(await withFileLock(folder.join("a"), async () => 1, { timeoutMs: 500 })).toBe(1);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("waits while a living process takes over", async () => {
    await using folder = await openFolder();
    await writeLock(folder.join("a.lock"), { pid: noId });
    await writeLock(folder.join(`a.lock.${id}`), { id: "1111111111111111" });
    const work = withFileLock(folder.join("a"), async () => 1, { timeoutMs: 50 });
    await expect(work).rejects.toMatchObject({ code: "LOCK_TIMEOUT" });
    await rm(folder.join(`a.lock.${id}`));
    expect(await withFileLock(folder.join("a"), async () => 1, { timeoutMs: 500 })).toBe(1);
  });

  it("does not delete the lock of another that came after a deletion by hand", async () => {
    await using folder = await openFolder();
    await withFileLock(folder.join("a"), async () => {
      await rm(folder.join("a.lock"));
      await writeLock(folder.join("a.lock"), {});
    });
    expect(await readdir(folder.path)).toEqual(["a.lock"]);
  });

  it("refuses where no lock file can be made", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("a.lock"));
    for (const path of [folder.join("no", "a"), folder.join("a")])
      await expect(withFileLock(path, async () => 1)).rejects.toMatchObject({
        code: "FILE_UNWRITABLE",
      });
    expect(await readdir(folder.path)).toEqual(["a.lock"]);
  });

  it("gives the old lock to one of 20 who contend for it, 50 times", async () => {
    await using folder = await openFolder();
    for (let round = 0; round < 50; round += 1) {
      await writeLock(folder.join("a.lock"), { pid: noId });
      const contenders = await Promise.all(
        Array.from({ length: 20 }, () => createContender(folder.join("a.lock"))),
      );
      const attempts = await Promise.all(contenders.map((contender) => contender.tryLock()));
      expect(attempts.filter((attempt) => attempt.held)).toHaveLength(1);
      for (const contender of contenders) contender.release();
      expect(await readdir(folder.path)).toEqual([]);
    }
  });
});
