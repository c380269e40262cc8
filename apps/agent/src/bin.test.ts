import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { hasTerminal, openBench } from "../test/built-program.js";

const manifest = JSON.parse(
  await readFile(new URL("../package.json", import.meta.url), "utf8"),
) as { readonly version: string };

test.concurrent.each(["--version", "-V"])("%s prints the version alone", async (flag) => {
  await using bench = await openBench();
  expect(await bench.run(flag)).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test.concurrent("--help names every command and every exit code", async () => {
  await using bench = await openBench();
  const { code, stdout, stderr } = await bench.run("--help");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const command of ["mcp", "tools", "call", "serve", "trust"])
    expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"));
  for (const exit of ["0", "1", "2", "3", "4", "5", "70", "130", "143"])
    expect(stdout).toMatch(new RegExp(`^  ${exit} +\\S`, "m"));
});

test.concurrent.each([
  ["mcp", "add", "--token-env"],
  ["mcp", "test", "--timeout"],
  ["tools", "--exclude-tags"],
  ["call", "--args"],
  ["serve", "--allow-host"],
  ["trust", "--yes"],
])("help of %s %s shows its flags", async (...words) => {
  await using bench = await openBench();
  const { code, stdout } = await bench.run(...words.filter((word) => !word.startsWith("-")), "-h");
  expect(code).toBe(0);
  expect(stdout).toContain(words.find((word) => word.startsWith("-")));
});

test.concurrent.each([
  [["tols"], "There is no command tols; did you mean tools? Help: postern --help"],
  [["mcp", "lst"], "There is no command lst; did you mean list? Help: postern mcp --help"],
  [
    ["tools", "--jsn"],
    "There is no flag --jsn here; did you mean --json? Help: postern tools --help",
  ],
  [["mcp", "show"], "Missing required argument 'name'. Help: postern mcp show --help"],
  [["call"], "Missing required argument 'tool'. Help: postern call --help"],
  [["tools", "--level", "Full"], "--level is full or read_only."],
  [["serve", "--http", "70000"], "--http takes a port, 0 to 65535; 0 means any free one."],
  [["serve"], "Say what to serve: postern serve --proxy serves the configured servers' tools."],
  [
    ["serve", "--proxy", "--no-auth"],
    "--host, --allow-host and --no-auth go with --http PORT; over stdio there is no port.",
  ],
  [["tools", "--include-tags", ","], "A tag filter needs at least one tag, such as web,files."],
  [
    ["call", "x", "--timeout", "1e9"],
    "--timeout takes seconds, a number from 0 (no limit) to 86400.",
  ],
])("%j is a usage error that says what to do", async (words, message) => {
  await using bench = await openBench();
  expect(await bench.run(...words)).toEqual({
    code: 2,
    stdout: "",
    stderr: `postern: ${message}\n`,
  });
});

test.concurrent("a usage error is JSON on stdout with --json", async () => {
  await using bench = await openBench();
  expect(await bench.json("mcp", "show")).toEqual({
    code: 2,
    answer: {
      error: "USAGE",
      message: "Missing required argument 'name'. Help: postern mcp show --help",
    },
  });
});

test.concurrent("no command at all shows the help and is a usage error", async () => {
  await using bench = await openBench();
  const { code, stdout, stderr } = await bench.run();
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("Usage: postern COMMAND");
});

test.concurrent.each([
  ["a mistyped flag", ["mcp", "add", "x", "--tokenenv=s3cr3t-value"]],
  ["a short flag", ["mcp", "add", "x", "-s3cr3t-value"]],
  ["a limit", ["mcp", "add", "x", "--call-timeout", "s3cr3t-value"]],
  ["a pair without =", ["mcp", "add", "x", "--command", "c", "--env", "s3cr3t-value"]],
  ["a pair with a bad name", ["mcp", "add", "x", "--command", "c", "--env", "s3cr3t-value=="]],
  ["a header without =", ["mcp", "add", "x", "--url", "https://h", "--header", "s3cr3t-value"]],
  [
    "a token for its variable",
    ["mcp", "add", "x", "--url", "https://h", "--token-env", "s3cr3t-value"],
  ],
  ["an argument of a call", ["call", "x", "s3cr3t-value"]],
])("never repeats %s", async (_what, words) => {
  await using bench = await openBench();
  const { code, stdout, stderr } = await bench.run(...words);
  expect(code).toBe(2);
  expect(stdout + stderr).not.toContain("s3cr3t");
});

test.concurrent("a reader that has had enough is no failure", async () => {
  await using bench = await openBench();
  await bench.write("home/mcp.json", {
    mcpServers: Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`s${index}x`, { command: "node" }]),
    ),
  });
  const child = bench.start("mcp", "list");
  child.stdout?.destroy();
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (part: string) => (stderr += part));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test
  .runIf(hasTerminal)
  .concurrent("writes bold only to a terminal, and not with NO_COLOR", async () => {
    await using bench = await openBench();
    await bench.write("home/mcp.json", { mcpServers: { one: { command: "node" } } });
    const piped = await bench.run("mcp", "list");
    expect(piped.stdout).not.toContain("\u001b");
    const shown = await bench.runOnTerminal(["mcp", "list"], { all: true });
    expect(shown.stderr).toContain("\u001b[1mSERVER");
    await using plain = await openBench({ env: { NO_COLOR: "1" } });
    await plain.write("home/mcp.json", { mcpServers: { one: { command: "node" } } });
    expect((await plain.runOnTerminal(["mcp", "list"], { all: true })).stderr).not.toContain(
      "\u001b",
    );
  });

test
  .runIf(hasTerminal && existsSync("/dev/full"))
  .concurrent("an answer that cannot be written is a fault, told in one line", async () => {
    await using bench = await openBench();
    await bench.write("home/mcp.json", { mcpServers: { one: { command: "node" } } });
    const { code, stderr } = await bench.runOnTerminal(["mcp", "list"], { to: "/dev/full" });
    expect(code).toBe(70);
    expect(stderr).toMatch(/^postern: The output cannot be written: ENOSPC.*\r\n$/);
  });
