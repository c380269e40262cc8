import { mkdir, symlink, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { commandPath, runCommand, runCommandIn } from "../../fixtures/command.js";
import { bundledErrors } from "../errors.js";
import { createRootFolder } from "../files/root-folder.js";
import { commandErrors } from "./errors.js";
import { runCommandTool } from "./run-command.js";
import type { ToShellCall } from "./shell.js";

/** What a command sees of an environment, without what the shell itself sets. */
async function printed(environment: Record<string, string | undefined>): Promise<string> {
  const { stdout } = await runCommand(
    { command: "env | LC_ALL=C sort" },
    { environment: () => environment },
  );
  return (stdout as string).replaceAll(/^(PWD|OLDPWD|SHLVL|_|RUN_COMMAND_ID)=.*\n/gm, "");
}

const missingShell: ToShellCall = (command) => ({
  command: "/no/such/shell",
  args: ["-c", command],
});

describe("run_command", () => {
  it("answers with the exit code and both streams", async () => {
    expect(await runCommand({ command: "echo out; echo err >&2" })).toEqual({
      command: "echo out; echo err >&2",
      working_directory: ".",
      returncode: 0,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
      truncated: false,
      background: [],
      note: "",
      display: {
        mime: "text/x-shell",
        text: "$ echo out; echo err >&2\nout\n--- stderr ---\nerr\n[exit 0]",
        meta: { command: "echo out; echo err >&2", returncode: 0 },
      },
      error: "",
      isError: false,
    });
  });

  it("takes an exit code other than 0 for an answer, not for an error", async () => {
    expect(await runCommand({ command: "exit 3" })).toMatchObject({
      returncode: 3,
      error: "",
      isError: false,
      display: { text: "$ exit 3\n[exit 3]" },
    });
  });

  it("shows nothing for people when there is nothing to see", async () => {
    expect(await runCommand({ command: "true" })).toMatchObject({ returncode: 0, display: null });
  });

  it("names the signal that killed the command", async () => {
    expect(await runCommand({ command: "kill -KILL $$" })).toMatchObject({
      returncode: null,
      signal: "SIGKILL",
      error: "",
      display: { text: "$ kill -KILL $$\n[killed by SIGKILL]" },
    });
  });

  it("gives a command no input", async () => {
    expect(await runCommand({ command: "cat; readlink /proc/self/fd/0" })).toMatchObject({
      returncode: 0,
      stdout: "/dev/null\n",
    });
  });

  it("takes a command that begins with a dash for a command", async () => {
    expect(await runCommand({ command: "-l" })).toMatchObject({ returncode: 127 });
  });

  it("runs several lines as one script", async () => {
    expect(await runCommand({ command: "a=1\nfor b in x y\ndo echo $a$b\ndone" })).toMatchObject({
      stdout: "1x\n1y\n",
    });
  });

  it("starts in the working directory, also behind a link that stays inside", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("sub"));
    await symlink("sub", folder.join("link"));
    const answers = [
      await runCommandIn(folder, { command: "pwd" }),
      await runCommandIn(folder, { command: "pwd", working_directory: "sub" }),
      await runCommandIn(folder, { command: "pwd", working_directory: folder.join("link") }),
    ];
    expect(answers.map((answer) => answer["stdout"])).toEqual([
      `${folder.path}\n`,
      `${folder.join("sub")}\n`,
      `${folder.join("sub")}\n`,
    ]);
    expect(answers[1]).toMatchObject({ working_directory: "sub" });
  });

  it("refuses a working directory that is outside, missing or no directory", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("file"), "");
    await symlink("/", folder.join("out"));
    const codes = ["..", "/", "out", "missing", "file", "a\0b"].map(
      async (working_directory) =>
        (await runCommandIn(folder, { command: "touch ran", working_directory }))["code"],
    );
    expect(await Promise.all(codes)).toEqual([
      "PATH_OUTSIDE_ROOT",
      "PATH_OUTSIDE_ROOT",
      "PATH_OUTSIDE_ROOT",
      "PATH_NOT_FOUND",
      "NOT_A_DIRECTORY",
      "INVALID_PATH",
    ]);
    expect(await runCommandIn(folder, { command: "ls" })).toMatchObject({ stdout: "file\nout\n" });
  });

  it("echoes the call when it fails before the start", async () => {
    expect(await runCommand({ command: "true", working_directory: "missing" })).toMatchObject({
      command: "true",
      working_directory: "missing",
      returncode: null,
      display: { text: expect.stringContaining("--- error ---") },
    });
  });

  it.each([" \n\t", "echo a\0b"])("refuses the command %j", async (command) => {
    expect(await runCommand({ command })).toMatchObject({ code: "INVALID_COMMAND", stdout: "" });
  });

  it("refuses an empty command", async () => {
    expect(await runCommand({ command: "" })).toMatchObject({ code: "INVALID_ARGUMENTS" });
  });

  it("fails when the shell is missing", async () => {
    expect(await runCommand({ command: "true" }, { shell: missingShell })).toMatchObject({
      code: "COMMAND_NOT_STARTED",
      error: expect.stringContaining("/no/such/shell"),
    });
  });

  it("fails when the command is longer than the system takes", async () => {
    expect(await runCommand({ command: `true ${"x".repeat(3_000_000)}` })).toMatchObject({
      code: "COMMAND_NOT_STARTED",
      error: expect.stringContaining("too long"),
    });
  });

  it("has the annotations, tags and path argument of its page", () => {
    const { listing } = runCommandTool({
      root: createRootFolder("/"),
      env: () => undefined,
      guard: { isRoot: () => false, allowRoot: () => false },
      environment: () => ({}),
    });
    expect(listing.raw["annotations"]).toEqual({ destructiveHint: true, openWorldHint: true });
    expect(listing.raw["_meta"]).toMatchObject({
      "dev.postern/tags": ["bundled", "local", "code"],
      "dev.postern/checkpaths": ["working_directory"],
    });
    expect((listing.raw["description"] as string).length).toBeLessThanOrEqual(1_100);
  });

  it("makes each of its errors from its table", () => {
    expect(Object.keys(commandErrors).filter((code) => code in bundledErrors)).toEqual([]);
  });
});

describe("the environment of a command", () => {
  it("is the server's, without its keys and settings", async () => {
    const environment = {
      PATH: commandPath,
      HOME: "/home/ada",
      EMPTY: "",
      TAVILY_API_KEY: "secret",
      SEMANTIC_SCHOLAR_API_KEY: "secret",
      brave_api_key: "secret",
      POSTERN_MAILTO: "secret",
      POSTERN_ANYTHING: "secret",
    };
    expect(await printed(environment)).toBe(`EMPTY=\nHOME=/home/ada\nPATH=${commandPath}\n`);
  });

  it("survives names and values that no system takes", async () => {
    const environment = {
      PATH: commandPath,
      "": "empty",
      "A=B": "equals",
      NUL: "a\0b",
      "NUL\0NAME": "x",
      GONE: undefined,
      "with blank": "kept",
    };
    expect(await printed(environment)).toContain(`PATH=${commandPath}\n`);
    expect(await printed(environment)).not.toMatch(/equals|empty|a.b/);
  });

  it("shows what the shell sees of a name with a proto", async () => {
    const environment = Object.fromEntries([
      ["PATH", commandPath],
      ["__proto__", "kept"],
    ]);
    expect(await printed(environment)).toContain("__proto__=kept\n");
  });
});

describe("the output of a command", () => {
  it("keeps the head and the tail of each stream, and says how many bytes are missing", async () => {
    const answer = await runCommand({
      command: "seq 1 1000; seq 1 1000 >&2",
      max_output_chars: 20,
    });
    const kept = "1\n2\n3\n4\n5\n[… 3873 bytes left out …]\n\n999\n1000\n";
    expect(answer).toMatchObject({ truncated: true, stdout: kept, stderr: kept });
  });

  it("keeps output without a line break, and says nothing of what it kept whole", async () => {
    expect(await runCommand({ command: "printf abc", max_output_chars: 3 })).toMatchObject({
      stdout: "abc",
      truncated: false,
    });
  });

  it("replaces what is not UTF-8", async () => {
    expect(await runCommand({ command: "printf 'a\\377\\000\\303\\251\\342\\202'" })).toMatchObject(
      {
        stdout: "a\ufffd\0é\ufffd",
      },
    );
  });

  it("may be written to by name", async () => {
    expect(
      await runCommand({ command: "echo out >/dev/stdout; echo err >/dev/stderr" }),
    ).toMatchObject({
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  it("puts a character together that comes in two pieces", async () => {
    expect(
      await runCommand({ command: "printf '\\342\\202'; sleep 0.1; printf '\\254\\n'" }),
    ).toMatchObject({ stdout: "€\n" });
  });
});

describe("the time of a command", () => {
  it("ends with what it printed so far, and an error", async () => {
    const answer = await runCommand({
      command: "echo before; echo broken >&2; sleep 100; echo after",
      timeout_seconds: 1,
    });
    expect(answer).toMatchObject({
      isError: true,
      code: "COMMAND_TIMEOUT",
      error: expect.stringContaining("POSTERN_RUN_COMMAND_MAX_TIMEOUT"),
      returncode: null,
      signal: "SIGTERM",
      stdout: "before\n",
      stderr: "broken\n",
      display: { text: expect.stringContaining("--- error ---") },
    });
  });

  it("ends while output flows", async () => {
    expect(
      await runCommand({ command: "yes", timeout_seconds: 1, max_output_chars: 10 }),
    ).toMatchObject({
      code: "COMMAND_TIMEOUT",
      truncated: true,
      stdout: expect.stringMatching(/^y\ny\ny\n\[… \d+ bytes left out …\]\n/),
    });
  });

  it("has a ceiling that the owner sets", async () => {
    const variables = { POSTERN_RUN_COMMAND_MAX_TIMEOUT: "5" };
    expect(await runCommand({ command: "true", timeout_seconds: 6 }, { variables })).toMatchObject({
      code: "TIMEOUT_ABOVE_CEILING",
      error: expect.stringMatching(/6.*5.*POSTERN_RUN_COMMAND_MAX_TIMEOUT/),
    });
    expect(await runCommand({ command: "true" }, { variables })).toMatchObject({ returncode: 0 });
  });

  it("has a ceiling of 600 s unless the owner sets another", async () => {
    expect(await runCommand({ command: "true", timeout_seconds: 600 })).toMatchObject({
      error: "",
    });
    expect(await runCommand({ command: "true", timeout_seconds: 601 })).toMatchObject({
      code: "TIMEOUT_ABOVE_CEILING",
    });
  });

  it("may be longer than a timer of Node can be", async () => {
    const variables = { POSTERN_RUN_COMMAND_MAX_TIMEOUT: "1e9" };
    expect(
      await runCommand({ command: "sleep 0.1", timeout_seconds: 1e9 }, { variables }),
    ).toMatchObject({
      returncode: 0,
    });
  });

  it("is told while it passes", async () => {
    const steps: unknown[] = [];
    await runCommand(
      { command: "echo one; echo; sleep 1.5" },
      { context: { progress: (step) => steps.push(step) } },
    );
    expect(steps).toEqual([
      {
        progress: expect.closeTo(1, 0),
        total: 30,
        message: "Running for 1 s, 5 bytes of output: one",
      },
    ]);
  });
});

describe("a caller that gives up", () => {
  it("gets nothing started when it gave up before", async () => {
    await using folder = await openFolder();
    const context = { signal: AbortSignal.abort() };
    expect(await runCommandIn(folder, { command: "touch ran" }, { context })).toMatchObject({
      code: "CANCELLED",
    });
    expect(await runCommandIn(folder, { command: "ls" })).toMatchObject({ stdout: "" });
  });
});
