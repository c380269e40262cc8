import { existsSync } from "node:fs";
import { findProcesses, waitFor } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { spawnProcess, type OwnedProcess, type SpawnOptions } from "./index.js";

const env = { PATH: "/usr/bin:/bin" };

interface Heard {
  readonly child: OwnedProcess;
  readonly bytes: Record<"stdout" | "stderr", number>;
  readonly text: Record<"stdout" | "stderr", string>;
}

/** Runs a script whose output is heard piece by piece. */
async function hear(script: string, options: Partial<SpawnOptions> = {}): Promise<Heard> {
  const bytes = { stdout: 0, stderr: 0 };
  const text = { stdout: "", stderr: "" };
  const child = await spawnProcess({
    command: "sh",
    args: ["-c", script],
    env,
    stdin: "none",
    onOutput: (stream, chunk) => {
      bytes[stream] += chunk.length;
      if (bytes[stream] < 1_000) text[stream] += Buffer.from(chunk).toString();
    },
    ...options,
  });
  return { child, bytes, text };
}

describe("onOutput", () => {
  it("gets both streams to their end", async () => {
    const { child, text } = await hear("echo out; echo err >&2; exit 3");
    expect(await child.exited).toEqual({ code: 3, signal: null });
    await child.outputEnded;
    expect(text).toEqual({ stdout: "out\n", stderr: "err\n" });
    expect(child.stderrTail()).toBe("");
  });

  it("lets a program open its streams by name", async () => {
    const { child, text } = await hear("echo a >/dev/stdout; echo b >/dev/stderr; echo c");
    await child.outputEnded;
    expect(text).toEqual({ stdout: "a\nc\n", stderr: "b\n" });
  });

  it("gets all of much output, of many programs at once, each its own", async () => {
    const heard = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        hear(`head -c ${3_000_000 + at} /dev/zero; echo ${at} >&2`),
      ),
    );
    await Promise.all(heard.map(({ child }) => child.outputEnded));
    expect(heard.map(({ bytes }) => bytes.stdout - 3_000_000)).toEqual([...heard.keys()]);
    expect(heard.map(({ text }) => text.stderr)).toEqual([...heard.keys()].map((at) => `${at}\n`));
  });

  it("leaves no file behind, also when the program cannot be started", async () => {
    const { child, text } = await hear("readlink /proc/$$/fd/1");
    await child.outputEnded;
    expect(text.stdout).toContain("postern-pipes-");
    expect(existsSync(text.stdout.replace(/\/stdout.*\s*$/s, ""))).toBe(false);
    await expect(hear("", { command: "no-such-program" })).rejects.toMatchObject({
      code: "COMMAND_NOT_FOUND",
    });
  });

  it("still gets the output where no pipes can be made", async () => {
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = "/no/such/folder";
    try {
      const { child, text } = await hear("echo out; echo err >&2");
      await child.outputEnded;
      expect(text).toEqual({ stdout: "out\n", stderr: "err\n" });
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });

  it("does not end while a program in the background holds a stream, and does not hold it up", async () => {
    const { child } = await hear("(head -c 3000000 /dev/zero; sleep 0.3) & exit 0");
    let hasEnded = false;
    const ended = child.outputEnded.then(() => (hasEnded = true));
    await child.exited;
    expect(hasEnded).toBe(false);
    child.dropOutput();
    await ended;
    await child.stop();
  });
});

describe("stdin none", () => {
  it("is at its end from the start, and takes no harm from a write", async () => {
    const { child, text } = await hear("cat; readlink /proc/self/fd/0");
    child.stdin.write("x");
    await child.outputEnded;
    expect(text.stdout).toBe("/dev/null\n");
    await child.stop();
  });
});

describe("findMembers", () => {
  it("names what lives of a tree", async () => {
    const { child } = await hear("sleep 1000 & exec sleep 1001");
    const readCommands = async (): Promise<readonly string[]> =>
      (await child.findMembers()).map(({ command }) => command).toSorted();
    expect(
      await waitFor(async () => (await readCommands()).join() === "sleep 1000,sleep 1001"),
    ).toBe(true);
    await child.kill();
    expect(await child.findMembers()).toEqual([]);
  });

  it("finds by its marker one that left the session and lost its parent", async () => {
    const marker = `postern-marker-${process.pid}-${Math.random()}`;
    const options = { env: { ...env, MARKER: marker }, marker: "MARKER" };
    const { child } = await hear("(setsid sleep 1000 >/dev/null 2>&1 &); exit 0", options);
    await child.exited;
    await child.outputEnded;
    const isThere = async (): Promise<boolean> => (await child.findMembers()).length === 1;
    expect(await waitFor(isThere)).toBe(true);
    expect(await child.findMembers()).toMatchObject([{ command: "sleep 1000" }]);
    await child.stop({ eofGraceMs: 0 });
    expect(findProcesses(marker)).toEqual([]);
  });

  it("takes nobody for a member whose marker only ends alike", async () => {
    const { child: other } = await hear("exec sleep 1000", { env: { ...env, XMARKER: "one" } });
    const { child } = await hear("exit 0", { env: { ...env, MARKER: "one" }, marker: "MARKER" });
    await child.exited;
    expect(await child.findMembers()).toEqual([]);
    await other.kill();
  });
});
