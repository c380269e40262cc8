import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdir, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { bundleSource, findProcesses, openFolder, waitFor, type Folder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { createMarker, runCommandIn, runCommand } from "../../fixtures/command.js";

interface Marked extends Disposable {
  readonly marker: string;
}

/** Marks what a test leaves running, and ends it with the test, also when that fails. */
function createMarked(): Marked {
  const marker = createMarker();
  return {
    marker,
    [Symbol.dispose]: () => {
      for (const pid of findProcesses(marker)) process.kill(pid, "SIGKILL");
    },
  };
}

const background = [
  ["that holds the output", "sleep 1001 & echo started"],
  ["that is silent", "sleep 1001 >/dev/null 2>&1 & echo started"],
  ["in a session of its own", "setsid sleep 1001 & sleep 0.1; echo started"],
  ["that lost its parent", "(setsid sleep 1001 >/dev/null 2>&1 &); sleep 0.1; echo started"],
] as const;

describe("a program in the background", () => {
  it.each(background)(
    "%s does not hold up the answer, is named and lives on",
    async (_, command) => {
      using marked = createMarked();
      const { marker } = marked;
      const from = performance.now();
      const answer = await runCommand({ command }, { marker });
      expect(performance.now() - from).toBeLessThan(2_000);
      expect(answer).toMatchObject({
        returncode: 0,
        stdout: "started\n",
        error: "",
        background: [{ pid: expect.any(Number), command: "sleep 1001" }],
        note: expect.stringContaining("1 process is still running"),
        display: { text: expect.stringContaining("--- background ---") },
      });
      expect(findProcesses(marker)).toHaveLength(1);
    },
  );

  it("is not held up by its output, which is dropped", async () => {
    await using folder = await openFolder();
    const command = "(sleep 0.5; head -c 3000000 /dev/zero; echo done >done) & echo started";
    expect(await runCommandIn(folder, { command })).toMatchObject({ stdout: "started\n" });
    expect(await waitFor(() => existsSync(folder.join("done")))).toBe(true);
  });

  it("that never stops printing does not hold up the answer either", async () => {
    using marked = createMarked();
    const { marker } = marked;
    const from = performance.now();
    const answer = await runCommand({ command: "yes & sleep 0.1" }, { marker });
    expect(performance.now() - from).toBeLessThan(4_000);
    expect(answer).toMatchObject({ truncated: true, background: [{ command: "yes" }] });
  });

  it("can be ended by another command", async () => {
    await using folder = await openFolder();
    using marked = createMarked();
    const { marker } = marked;
    const command = "sleep 1001 & echo $! >pid";
    await runCommandIn(folder, { command }, { marker });
    await runCommandIn(folder, { command: "kill $(cat pid)" });
    expect(await waitFor(() => findProcesses(marker).length === 0)).toBe(true);
  });

  it("is listed at most 50 times, and counted", async () => {
    using marked = createMarked();
    const { marker } = marked;
    const command = "for i in $(seq 60); do sleep 1001 & done";
    const answer = await runCommand({ command }, { marker });
    expect(answer["background"]).toHaveLength(50);
    expect(answer["note"]).toContain("60 processes are still running (the first 50 are listed)");
  });
});

const source = fileURLToPath(new URL("../../fixtures/command.ts", import.meta.url));

/** Bundles a program that calls `runCommandIn` in a folder. */
async function bundleProgram(folder: Folder, script: string): Promise<string> {
  const entry = folder.join("script.ts");
  const imports = `import { runCommandIn } from ${JSON.stringify(source)};`;
  await writeFile(entry, `${imports}\nconst folder = { path: process.argv[2] };\n${script}`);
  return bundleSource(entry, folder.path);
}

async function startServer(folder: Folder, end: string, marker: string): Promise<ChildProcess> {
  const program = await bundleProgram(
    folder,
    `const command = "sleep 1001 & (setsid sleep 1002 >/dev/null 2>&1 &); sleep 0.2";
    const answer = await runCommandIn(folder, { command }, { marker: ${JSON.stringify(marker)} });
    setTimeout(() => { console.log(answer.background.length); ${end} }, 1_000);`,
  );
  return spawn(process.execPath, [program, folder.path], { stdio: ["ignore", "pipe", "inherit"] });
}

describe("the programs in the background", () => {
  it.each([
    ["dies", "setInterval(() => undefined, 1_000); process.kill(process.pid, 'SIGKILL');"],
    ["ends, which they do not keep it from,", ""],
  ])("end when the server %s", async (_, end) => {
    await using folder = await openFolder();
    using marked = createMarked();
    const { marker } = marked;
    const server = await startServer(folder, end, marker);
    const exited = once(server, "exit");
    const lines = createInterface({ input: server.stdout! })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("2");
    await exited;
    expect(await waitFor(() => findProcesses(marker).length === 0)).toBe(true);
  });
});

describe("a user without the right", () => {
  it("gets an error for a working directory that may not be read or entered", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("closed"));
    await mkdir(folder.join("unlisted"));
    const program = await bundleProgram(
      folder,
      `import { chmod } from "node:fs/promises";
      await chmod(folder.path + "/closed", 0o000);
      await chmod(folder.path + "/unlisted", 0o300);
      for (const working_directory of ["closed", "unlisted", "."]) {
        const { code, isError } = await runCommandIn(folder, { command: "id -u", working_directory });
        console.log(working_directory, isError, code);
      }`,
    );
    for (const name of ["", "closed", "unlisted"]) await chown(folder.join(name), 65534, 65534);
    const user = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    const child = spawn("setpriv", [...user, process.execPath, program, folder.path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    await once(child, "close");
    expect(text.split("\n")).toEqual([
      "closed true PERMISSION_DENIED",
      "unlisted true PERMISSION_DENIED",
      ". false undefined",
      "",
    ]);
  });
});
