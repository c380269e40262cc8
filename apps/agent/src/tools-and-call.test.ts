import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProcesses, peerServer, waitFor } from "@postern/test-kit";
import { expect, test } from "vitest";
import { finish, hasTerminal, openBench, type Bench } from "../test/built-program.js";

/** A bench with the filesystem server over its project, one file in it. */
async function openFiles(): Promise<Bench> {
  const bench = await openBench();
  await bench.addPeer("fs", "filesystem", bench.project);
  await bench.write("project/note.txt", "one\ntwo\n");
  return bench;
}

const note = ({ project }: Bench): string => `path=${join(project, "note.txt")}`;

test.concurrent("tools lists what may be called", async () => {
  await using bench = await openFiles();
  const { code, stdout, stderr } = await bench.run("tools");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^TOOL +TAGS +READ-ONLY +DESTRUCTIVE +DESCRIPTION$/m);
  expect(stdout).toMatch(/^fs_write_file /m);
  expect(stdout).not.toContain("\u001b");
});

test.concurrent("tools --level read_only hides what may change something", async () => {
  await using bench = await openFiles();
  const { answer } = await bench.json("tools", "--level", "read_only");
  expect(answer).toMatchObject({ level: "read_only", missing: [] });
  const names = (answer as { tools: { name: string }[] }).tools.map(({ name }) => name);
  expect(names).toContain("fs_read_text_file");
  expect(names).not.toContain("fs_write_file");
});

test.concurrent("tools --include-tags hides tools without tags", async () => {
  await using bench = await openFiles();
  const { code, stdout, stderr } = await bench.run("tools", "--include-tags", "web");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toBe("postern: No tool may be called under full.\n");
});

test.concurrent("tools takes the bundled tools along, with their tags", async () => {
  await using bench = await openBench({ bundled: true });
  const { answer } = await bench.json("tools", "--include-tags", "bundled");
  expect((answer as { tools: { tags: string[] }[] }).tools.length).toBeGreaterThan(0);
});

test.concurrent("tools names a missing server on stderr and lists the others", async () => {
  await using bench = await openFiles();
  await bench.run("mcp", "add", "gone", "--command", "no-such-program-here");
  const { code, stdout, stderr } = await bench.run("tools");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^fs_read_text_file /m);
  expect(stderr).toMatch(/^postern: gone is missing: .*no-such-program-here/m);
  expect((await bench.json("tools")).answer).toMatchObject({ missing: [{ server: "gone" }] });
});

test.concurrent("--domain means that domain's servers, and an unknown one is a configuration error", async () => {
  await using bench = await openFiles();
  await bench.write("home/settings.json", {
    general: { bundled_tools: { enabled: false } },
    domains: { empty: { mcp_servers: {} }, files: { mcp_servers: { fs: { use: "fs" } } } },
  });
  expect((await bench.json("tools", "--domain", "empty")).answer).toMatchObject({ tools: [] });
  expect((await bench.run("tools", "--domain", "files")).stdout).toMatch(/^fs_read_text_file /m);
  const { code, answer } = await bench.json("tools", "--domain", "fils");
  expect(code).toBe(3);
  expect(answer).toMatchObject({ error: "UNKNOWN_DOMAIN" });
});

test.concurrent("call prints the text of the result", async () => {
  await using bench = await openFiles();
  expect(await bench.run("call", "fs_read_text_file", note(bench))).toEqual({
    code: 0,
    stdout: "one\ntwo\n",
    stderr: "",
  });
});

test.concurrent("call takes JSON values, files and whole objects", async () => {
  await using bench = await openFiles();
  const head = await bench.run("call", "fs_read_text_file", note(bench), "head:=1");
  expect(head.stdout).toBe("one\n");
  await bench.write("project/new.txt", "from a file, with = and @\n");
  const out = join(bench.project, "out.txt");
  await bench.run("call", "fs_write_file", `path=${out}`, "content=@new.txt");
  const args = JSON.stringify({ path: out });
  const whole = await bench.run("call", "fs_read_text_file", "--args", args);
  expect(whole.stdout).toBe("from a file, with = and @\n");
});

test.concurrent("call --json prints the whole result", async () => {
  await using bench = await openFiles();
  const { code, answer } = await bench.json("call", "fs_read_text_file", note(bench));
  expect(code).toBe(0);
  expect(answer).toMatchObject({ content: [{ type: "text", text: "one\ntwo\n" }] });
});

test.concurrent("an error that the tool answers is exit code 1", async () => {
  await using bench = await openFiles();
  const missing = `path=${join(bench.project, "nothing")}`;
  const people = await bench.run("call", "fs_read_text_file", missing);
  expect(people.code).toBe(1);
  expect(people.stdout).toContain("ENOENT");
  const { code, answer } = await bench.json("call", "fs_read_text_file", missing);
  expect(code).toBe(1);
  expect(answer).toMatchObject({ isError: true });
});

test.concurrent("call writes images and resources as placeholders", async () => {
  await using bench = await openBench();
  await bench.addPeer("all", "everything");
  const image = await bench.run("call", "all_get-tiny-image");
  expect(image.code).toBe(0);
  expect(image.stdout).toMatch(/^\[image image\/png, \d+ bytes\]$/m);
  const links = await bench.run("call", "all_get-resource-links", "count:=1");
  expect(links.stdout).toMatch(/^\[resource link \S+\]$/m);
});

test.concurrent("a hidden tool and none at all are answered with the same bytes", async () => {
  await using bench = await openBench();
  await bench.addSmall();
  const level = ["--level", "read_only"];
  const hidden = await bench.run("call", "small_write_thing", ...level);
  const none = await bench.run("call", "small_write_nonesuch", ...level);
  expect(hidden).toEqual({
    code: 4,
    stdout: "",
    stderr:
      'postern: There is no tool named "small_write_thing". List the tools to see what may be called.\n',
  });
  const renamed = none.stderr.replace("small_write_nonesuch", "small_write_thing");
  expect({ ...none, stderr: renamed }).toEqual(hidden);
  const hiddenJson = await bench.run("call", "small_write_thing", "--json", ...level);
  const noneJson = await bench.run("call", "small_write_nonesuch", "--json", ...level);
  expect(hiddenJson.code).toBe(4);
  expect(JSON.parse(hiddenJson.stdout)).toMatchObject({ error: "UNKNOWN_TOOL" });
  const renamedJson = noneJson.stdout.replaceAll("small_write_nonesuch", "small_write_thing");
  expect({ ...noneJson, stdout: renamedJson }).toEqual(hiddenJson);
});

test
  .runIf(hasTerminal)
  .concurrent("the owner's terminal gets the reason, stdout does not", async () => {
    await using bench = await openBench();
    await bench.addSmall();
    const level = ["--level", "read_only"];
    const hidden = await bench.runOnTerminal(["call", "small_write_thing", "--json", ...level]);
    expect(hidden.code).toBe(4);
    expect(hidden.stderr).toMatch(
      /^postern: small_write_thing is hidden: read_only: annotated destructive/m,
    );
    expect(hidden.stdout).not.toContain("read_only");
    const near = await bench.runOnTerminal(["call", "small_read_thin", ...level]);
    expect(near.stderr).toContain("postern: Did you mean small_read_thing?");
    const none = await bench.runOnTerminal(["call", "small_write_thin", ...level]);
    expect(none.stderr).not.toContain("small_write_thing");
  });

test.concurrent("call of a tool whose server is away is exit code 5", async () => {
  await using bench = await openBench();
  await bench.run("mcp", "add", "gone", "--command", "no-such-program-here");
  const { code, answer } = await bench.json("call", "gone_tool");
  expect(code).toBe(5);
  expect(answer).toMatchObject({ error: "SERVER_UNREACHABLE" });
});

test.concurrent("call starts only the server that the name can belong to", async () => {
  await using bench = await openFiles();
  const mark = join(bench.project, "started");
  const script = join(bench.project, "other.mjs");
  await writeFile(
    script,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");`,
  );
  await bench.run("mcp", "add", "other", "--command", process.execPath, "--arg", script);
  expect((await bench.run("call", "fs_read_text_file", note(bench))).code).toBe(0);
  expect((await bench.run("call", "fs_read_text_file", `path=${mark}`)).code).toBe(1);
});

test.concurrent("--timeout ends a call that takes longer", async () => {
  await using bench = await openBench();
  await bench.addPeer("all", "everything");
  const words = ["all_trigger-long-running-operation", "duration:=20", "steps:=2"];
  const { code, answer } = await bench.json("call", ...words, "--timeout", "0.5");
  expect(code).toBe(1);
  expect(answer).toMatchObject({ error: "TOOL_TIMEOUT" });
});

test.concurrent.each([
  ["SIGINT", 130, "INTERRUPTED"],
  ["SIGTERM", 143, "TERMINATED"],
] as const)("%s closes the servers and is exit code %i", async (signal, code, error) => {
  await using bench = await openBench();
  const { command, args } = peerServer("everything");
  await bench.write("home/mcp.json", {
    mcpServers: { all: { command, args, env: { POSTERN_TEST_MARK: bench.project } } },
  });
  const words = ["all_trigger-long-running-operation", "duration:=20", "steps:=2"];
  const child = bench.start("call", ...words, "--json");
  const ended = finish(child);
  const marker = `POSTERN_TEST_MARK=${bench.project}`;
  expect(await waitFor(() => findProcesses(marker).length > 0, 20_000)).toBe(true);
  child.kill(signal);
  const { code: exited, stdout } = await ended;
  expect(exited).toBe(code);
  expect(JSON.parse(stdout)).toMatchObject({ error });
  expect(await waitFor(() => findProcesses(marker).length === 0)).toBe(true);
});

test.concurrent("a tool that asks for input first is told that nobody can be asked", async () => {
  await using bench = await openBench();
  await bench.addSmall();
  const { code, answer } = await bench.json("call", "small_ask");
  expect(code).toBe(1);
  expect(answer).toMatchObject({ error: "INPUT_NEEDED" });
});

test
  .runIf(hasTerminal)
  .concurrent("control characters of a server do not reach a terminal", async () => {
    await using bench = await openBench();
    await bench.addSmall();
    const shown = await bench.runOnTerminal(["call", "small_control"], { all: true });
    expect(shown.stderr).toContain("\\u{1b}]0;title\\u{7} red \\u{1b}[31m\\u{202e}txt");
    const piped = await bench.run("call", "small_control");
    expect(piped.stdout).toBe("\u001b]0;title\u0007 red \u001b[31m\u202etxt\n");
  });

test.concurrent("call survives content that is none, and JSON holds nothing a terminal acts on", async () => {
  await using bench = await openBench();
  await bench.addSmall();
  const people = await bench.run("call", "small_odd");
  expect(people).toMatchObject({ code: 0, stderr: "" });
  expect(people.stdout.split("\n").slice(0, 2)).toEqual(
    Array.from({ length: 2 }, () => "[not a content block]"),
  );
  const { code, stdout } = await bench.run("call", "small_odd", "--json");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[\u0020-\u007e\n]*$/);
  expect(JSON.parse(stdout)).toEqual({
    content: [null, 5, { type: "text", text: "\u009b31m\u202e" }],
  });
});

test.concurrent("what a server says of its failure is quoted as its own words", async () => {
  await using bench = await openBench();
  await bench.addSmall();
  const { code, stdout, stderr } = await bench.run("call", "small_fail");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("\n  | no\\u{1b}[31m database\n");
  expect((await bench.json("call", "small_fail")).answer).toMatchObject({
    error: "UPSTREAM_ERROR",
    serverText: "no\u001b[31m database",
  });
});

test.concurrent("call says how to send a number when text for one was refused", async () => {
  await using bench = await openFiles();
  const { code, stderr } = await bench.run("call", "fs_read_text_file", note(bench), "head=1");
  expect(code).toBe(1);
  expect(stderr).toContain("head:=1 would send a number or a yes/no; head=1 sends text.");
});
