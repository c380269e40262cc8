import { writeFile } from "node:fs/promises";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { findProcesses, openFolder, waitFor } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { spawnProcess, type OwnedProcess } from "./index.js";

const env = { PATH: "/usr/bin:/bin" };

/** Ignores the end of its input and SIGTERM, and so does its grandchild. */
const stubbornScript = `trap '' TERM HUP INT
(while :; do sleep 1000; done) &
echo ready
while :; do sleep 1000; done
`;

interface Started {
  readonly child: OwnedProcess;
  /** Stands in the environment of all that comes from it. */
  readonly marker: string;
}

async function startScript(script: string, ...args: readonly string[]): Promise<Started> {
  const marker = `postern-marker-${process.pid}-${Math.random()}`;
  const child = await spawnProcess({
    command: "sh",
    args: ["-c", script, ...args],
    env: { ...env, MARKER: marker },
  });
  return { child, marker };
}

/** As a package runner does: a shell that waits for a shell. */
const startNested = (script: string): Promise<Started> => startScript('sh -c "$0"; exit 0', script);

async function stopTenStubborn(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    const { child, marker } = await startNested(stubbornScript);
    await once(child.stdout, "data");
    await child.stop({ eofGraceMs: 10, termGraceMs: 10 });
    expect(findProcesses(marker)).toEqual([]);
  }
}

describe("spawnProcess", () => {
  it("gives the child exactly the environment, arguments and folder of its options", async () => {
    await using folder = await openFolder();
    await using child = await spawnProcess({
      command: process.execPath,
      args: [
        "-e",
        "console.log(JSON.stringify([process.env, process.argv.slice(1), process.cwd()]))",
        "a b",
        "$HOME",
      ],
      env: { ONLY: "this" },
      cwd: folder.path,
    });
    expect(JSON.parse(await text(child.stdout))).toEqual([
      { ONLY: "this" },
      ["a b", "$HOME"],
      folder.path,
    ]);
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it("names the command and the PATH that was searched when there is no such program", async () => {
    const failed = spawnProcess({ command: "no-such-program", env: { PATH: "/opt/a:/opt/b" } });
    await expect(failed).rejects.toMatchObject({
      code: "COMMAND_NOT_FOUND",
      data: { command: "no-such-program", path: "/opt/a:/opt/b" },
      message: expect.stringContaining("/opt/a:/opt/b"),
    });
  });

  it("names the system's own PATH when the environment has none", async () => {
    await expect(spawnProcess({ command: "no-such-program", env: {} })).rejects.toMatchObject({
      code: "COMMAND_NOT_FOUND",
      data: { path: "/bin:/usr/bin" },
    });
  });

  it("speaks of no PATH when the command is a path", async () => {
    await expect(spawnProcess({ command: "/no/such/program", env })).rejects.toMatchObject({
      code: "COMMAND_NOT_FOUND",
      data: { command: "/no/such/program", path: undefined },
    });
  });

  it("tells a missing folder from a missing program", async () => {
    const failed = spawnProcess({ command: "sh", env, cwd: "/no/such/folder" });
    await expect(failed).rejects.toMatchObject({
      code: "CWD_MISSING",
      data: { cwd: "/no/such/folder" },
    });
  });

  it("refuses a file that is not executable", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("plain"), "text");
    await expect(spawnProcess({ command: folder.join("plain"), env })).rejects.toMatchObject({
      code: "SPAWN_FAILED",
      message: expect.stringContaining("EACCES"),
    });
  });

  it("tells a missing interpreter from a missing program", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("tool"), "#!/no/such/interpreter\n", { mode: 0o755 });
    await expect(spawnProcess({ command: folder.join("tool"), env })).rejects.toMatchObject({
      code: "SPAWN_FAILED",
      message: expect.stringContaining("interpreter"),
    });
  });

  it("refuses an argument that no system takes", async () => {
    await expect(spawnProcess({ command: "sh", args: ["\0"], env })).rejects.toMatchObject({
      code: "SPAWN_FAILED",
    });
  });

  it("starts a program found through a relative PATH from the child's folder", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("tool"), "#!/bin/sh\necho found\n", { mode: 0o755 });
    await using child = await spawnProcess({
      command: "./tool",
      env,
      cwd: folder.path,
    });
    expect(await text(child.stdout)).toBe("found\n");
  });

  it("survives writing to a child that closed its input", async () => {
    const { child } = await startScript("exec <&-; echo closed; exec sleep 1000");
    await once(child.stdout, "data");
    for (let index = 0; index < 20; index += 1) child.stdin.write("x".repeat(100_000));
    await new Promise((resolve) => child.stdin.once("close", resolve));
    await child.kill();
    expect(await child.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("keeps only the end of what the child complains", async () => {
    await using child = await spawnProcess({
      command: "sh",
      args: ["-c", "seq 1 200000 >&2; echo last words >&2"],
      env,
      stderrBytes: 1_000,
    });
    await child.exited;
    expect(await waitFor(() => child.stderrTail().endsWith("last words\n"))).toBe(true);
    expect(child.stderrTail()).toHaveLength(1_000);
  });

  it("holds back a child whose output nobody reads", async () => {
    const { child, marker } = await startScript("yes");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(child.stdout.readableLength).toBeLessThanOrEqual(1 << 17);
    expect(findProcesses(marker)).not.toEqual([]);
    await child.kill();
  });
});

describe("stop", () => {
  it("lets a child end by itself when its input closes", async () => {
    await using child = await spawnProcess({
      command: "sh",
      args: ["-c", "cat; echo bye"],
      env,
    });
    const output = text(child.stdout);
    await child.stop();
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(await output).toBe("bye\n");
  });

  it("sends SIGTERM to a child that ignores the end of its input", async () => {
    const { child } = await startScript(
      "trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done",
    );
    await once(child.stdout, "data");
    await child.stop({ eofGraceMs: 20 });
    expect(await child.exited).toEqual({ code: 7, signal: null });
  });

  it("serves many calls at once, and one after the end", async () => {
    const { child, marker } = await startNested(stubbornScript);
    await once(child.stdout, "data");
    const patience = { eofGraceMs: 20, termGraceMs: 20 };
    await Promise.all([child.stop(patience), child.stop(), child.kill(), child.stop(patience)]);
    expect(findProcesses(marker)).toEqual([]);
    await child.stop();
    await child.kill();
  });

  it("is hurried by kill()", async () => {
    const { child, marker } = await startNested(stubbornScript);
    await once(child.stdout, "data");
    const before = performance.now();
    const stopped = child.stop({ eofGraceMs: 60_000, termGraceMs: 60_000 });
    await child.kill();
    await stopped;
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(findProcesses(marker)).toEqual([]);
  });

  it("leaves none of 100 stubborn trees behind sh -c", async () => {
    await Promise.all(Array.from({ length: 10 }, stopTenStubborn));
  });

  it("ends a grandchild in a session of its own", async () => {
    const { child, marker } = await startScript(
      "trap '' TERM; setsid sh -c 'echo ready; sleep 1000; sleep 1000' & cat; sleep 1000",
    );
    await once(child.stdout, "data");
    await child.stop({ eofGraceMs: 20, termGraceMs: 20 });
    expect(findProcesses(marker)).toEqual([]);
  });

  it("ends a grandchild in a session of its own whose parent obeys at once", async () => {
    const { child, marker } = await startScript(
      "setsid sh -c 'echo ready; sleep 1000; sleep 1000' & cat",
    );
    await once(child.stdout, "data");
    await child.stop({ termGraceMs: 20 });
    expect(findProcesses(marker)).toEqual([]);
  });

  it("ends a tree that keeps starting new sessions", async () => {
    const { child, marker } = await startScript(
      "trap '' TERM; echo ready; while :; do setsid sleep 1000 & sleep 0.005; done",
    );
    await once(child.stdout, "data");
    await child.stop({ eofGraceMs: 50, termGraceMs: 50 });
    expect(findProcesses(marker)).toEqual([]);
  });

  it("ends what a crashed child left behind", async () => {
    const { child, marker } = await startScript("(sleep 1000 &) ; kill -KILL $$");
    expect(await child.exited).toEqual({ code: null, signal: "SIGKILL" });
    expect(findProcesses(marker)).not.toEqual([]);
    await child.stop();
    expect(findProcesses(marker)).toEqual([]);
  });

  it("is what await using does", async () => {
    const marker = await (async () => {
      const started = await startNested("cat");
      await using child = started.child;
      expect(findProcesses(started.marker)).toContain(child.pid);
      return started.marker;
    })();
    expect(findProcesses(marker)).toEqual([]);
  });
});
