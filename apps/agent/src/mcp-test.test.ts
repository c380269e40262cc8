import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProcesses, peerServer, waitFor } from "@postern/test-kit";
import { expect, test } from "vitest";
import { openBench, type Bench } from "../test/built-program.js";

async function addScript(bench: Bench, name: string, code: string): Promise<void> {
  const script = join(bench.project, `${name}.mjs`);
  await writeFile(script, code);
  await bench.run("mcp", "add", name, "--command", process.execPath, "--arg", script);
}

test.concurrent("lists the tools with tags and effects, in a table and as JSON", async () => {
  await using bench = await openBench();
  const { command, args } = peerServer("filesystem", [bench.project]);
  const flags = args.flatMap((arg) => ["--arg", arg]);
  expect((await bench.run("mcp", "add", "fs", "--command", command, ...flags)).code).toBe(0);
  const { code, stdout, stderr } = await bench.run("mcp", "test", "fs");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^TOOL +TAGS +READ-ONLY +DESTRUCTIVE +DESCRIPTION$/m);
  expect(stdout).toMatch(/^fs_read_text_file +- +yes +/m);
  expect(stderr).toMatch(/fs answers \(protocol [\d-]+\); it lists \d+ tools\./);
  const { answer } = await bench.json("mcp", "test", "fs");
  expect(answer).toMatchObject({ server: "fs", era: "legacy", noiseLines: 0, dropped: [] });
});

test.concurrent("shows under a read_only configuration what the server has all the same", async () => {
  await using bench = await openBench();
  await bench.write("home/settings.json", {
    general: { access_level: "read_only", bundled_tools: { enabled: false } },
  });
  await bench.addSmall();
  expect((await bench.run("mcp", "test", "small")).stdout).toMatch(
    /^small_write_thing +- +no +yes/m,
  );
});

test.concurrent("says why a command cannot be reached, with the end of what it wrote", async () => {
  await using bench = await openBench();
  const esc = String.raw`\u001b[31m`;
  await addScript(bench, "dies", `console.error("${esc}no database here"); process.exit(3);`);
  const { code, stdout, stderr } = await bench.run("mcp", "test", "dies");
  expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
  expect(stderr).toContain('postern: The server "dies" cannot be reached: ');
  expect(stderr).toContain("no database here");
  expect(stderr).not.toContain("\u001b");
  const { answer } = await bench.json("mcp", "test", "dies");
  expect(answer).toMatchObject({ error: "SERVER_UNREACHABLE" });
});

test.concurrent("says so when the program does not exist", async () => {
  await using bench = await openBench();
  await bench.run("mcp", "add", "gone", "--command", "no-such-program-here");
  const { code, stderr } = await bench.run("mcp", "test", "gone");
  expect(code).toBe(5);
  expect(stderr).toContain("no-such-program-here");
});

test.concurrent("says so when nothing listens at the address", async () => {
  await using bench = await openBench();
  await bench.run("mcp", "add", "gone", "--url", "http://127.0.0.1:9/mcp");
  expect((await bench.run("mcp", "test", "gone")).code).toBe(5);
});

test.concurrent("--timeout ends the wait for a silent server, and its process", async () => {
  await using bench = await openBench();
  await addScript(
    bench,
    "silent",
    "setInterval(() => undefined, 1000); process.on('SIGTERM', () => 0);",
  );
  const { code, stderr } = await bench.run("mcp", "test", "silent", "--timeout", "1");
  expect(code).toBe(5);
  expect(stderr).toContain("was not ready within 1 s");
  const script = join(bench.project, "silent.mjs");
  expect(await waitFor(() => findProcesses(script).length === 0)).toBe(true);
});

test.concurrent("a disabled server is not connected", async () => {
  await using bench = await openBench();
  await bench.addSmall();
  await bench.run("mcp", "disable", "small");
  const { code, answer } = await bench.json("mcp", "test", "small");
  expect(code).toBe(3);
  expect(answer).toMatchObject({ error: "SERVER_DISABLED" });
});

test.concurrent("a missing variable is named, and nothing is started", async () => {
  await using bench = await openBench();
  const flags = ["--command", process.execPath, "--env", "A={env:NOT_THERE_2}"];
  await bench.run("mcp", "add", "needs", ...flags);
  const { code, stderr } = await bench.run("mcp", "test", "needs");
  expect(code).toBe(5);
  expect(stderr).toContain("NOT_THERE_2");
});
