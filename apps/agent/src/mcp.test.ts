import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBench, type Bench } from "../test/built-program.js";

const readStore = async ({ home }: Bench): Promise<unknown> =>
  JSON.parse(await readFile(join(home, "mcp.json"), "utf8"));

test.concurrent("add writes every flag of a command as mcp.json spells it", async () => {
  await using bench = await openBench();
  const flags = ["--command", "node", "--arg", "-y", "--arg", "--json", "--arg", "{env:DIR}"];
  flags.push("--env", "A=b=c", "--env", "TOKEN={env:MY_TOKEN}", "--cwd", "work");
  flags.push("--connect-timeout", "5", "--catalog-timeout", "2.5", "--call-timeout", "0");
  flags.push("--include-tags", "web, files", "--exclude-tags=code", "--protocol", "auto");
  flags.push("--prefix", "");
  const { code, stdout } = await bench.run("mcp", "add", "all", ...flags);
  expect(code).toBe(0);
  expect(stdout).toBe("Added all.\nTry it with: postern mcp test all\n");
  expect(await readStore(bench)).toEqual({
    mcpServers: {
      all: {
        command: "node",
        args: ["-y", "--json", "{env:DIR}"],
        env: { A: "b=c", TOKEN: "{env:MY_TOKEN}" },
        cwd: "work",
        connect_timeout: 5,
        catalog_timeout: 2.5,
        call_timeout: 0,
        include_tags: ["web", "files"],
        exclude_tags: ["code"],
        protocol: "auto",
        prefix: "",
      },
    },
  });
});

test.concurrent("add writes an endpoint with headers and the name of its token's variable", async () => {
  await using bench = await openBench();
  const url = ["--url", "https://host.example/mcp", "--token-env", "TOKEN", "--header", "X-A=b"];
  const { code, answer } = await bench.json("mcp", "add", "web", ...url);
  expect(code).toBe(0);
  expect(answer).toMatchObject({ name: "web", replaced: false });
  expect(await readStore(bench)).toEqual({
    mcpServers: {
      web: { url: "https://host.example/mcp", headers: { "X-A": "b" }, token_env: "TOKEN" },
    },
  });
});

test.concurrent("add replaces the entry of that name whole, and says so", async () => {
  await using bench = await openBench();
  await bench.run("mcp", "add", "one", "--command", "node", "--env", "A=1");
  const { code, stdout } = await bench.run("mcp", "add", "one", "--command", "deno");
  expect(code).toBe(0);
  expect(stdout).toContain("Replaced one: its entry of before is gone.\n");
  expect(await readStore(bench)).toEqual({ mcpServers: { one: { command: "deno" } } });
});

test.concurrent("add keeps what it does not know in the file", async () => {
  await using bench = await openBench();
  await bench.write("home/mcp.json", {
    other: 1,
    mcpServers: { one: { command: "node", autoApprove: ["x"] } },
  });
  await bench.run("mcp", "add", "two", "--command", "node");
  expect(await readStore(bench)).toEqual({
    other: 1,
    mcpServers: { one: { command: "node", autoApprove: ["x"] }, two: { command: "node" } },
  });
});

test.concurrent.each([
  [["x"], "Give either --command (a program to start) or --url (an endpoint)."],
  [["x", "--command", "a", "--url", "https://b"], "Give either --command"],
  [["x", "--url", "https://b", "--arg", "c"], "--arg, --env and --cwd go with --command"],
  [["x", "--command", "a", "--token-env", "T"], "--token-env and --header go with --url"],
  [["x", "--command", "--arg"], "--command takes the name or path of a program."],
  [["x y", "--command", "a"], "A server name is 1 to 32 letters, digits, _ and -"],
  [["x", "--command", "a", "--env", "A=1", "--env", "B"], '--env number 2 has no "="'],
  [["x", "--command", "a", "--env", "A=1", "--env", "A=2"], "--env number 2 sets a name"],
  [["x", "--url", "ftp://host"], "http"],
  [["x", "--command", "a", "--protocol", "new"], "protocol"],
  [["x", "--url", "http://host.example", "--token-env", "T"], "https"],
  [["x", "--url", "http://host.example", "--header", "Authorization=b"], "https"],
  [["x", "--url", "http://host.example/{env:K}"], "https"],
])("add refuses %j and writes nothing", async (words, message) => {
  await using bench = await openBench();
  const { code, stdout, stderr } = await bench.run("mcp", "add", ...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  await expect(readStore(bench)).rejects.toThrow("ENOENT");
});

test.concurrent.each(["http://127.0.0.1:9/mcp", "http://localhost:9/mcp", "http://[::1]:9/mcp"])(
  "add takes a credential for %s: it does not leave the machine",
  async (url) => {
    await using bench = await openBench();
    expect((await bench.run("mcp", "add", "x", "--url", url, "--token-env", "T")).code).toBe(0);
  },
);

test.concurrent("add refuses a name that with _ begins another's", async () => {
  await using bench = await openBench();
  await bench.run("mcp", "add", "my", "--command", "node");
  const { code, answer } = await bench.json("mcp", "add", "my_server", "--command", "node");
  expect(code).toBe(3);
  expect(answer).toMatchObject({ error: "SERVER_NAME_CLASH" });
  expect(await readStore(bench)).toEqual({ mcpServers: { my: { command: "node" } } });
});

test.concurrent("add warns of a secret in an argument, which other users can see, without repeating it", async () => {
  await using bench = await openBench();
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const flags = ["--command", "node", "--arg", "--token", "--arg", secret];
  const { code, stdout, stderr } = await bench.run("mcp", "add", "x", ...flags);
  expect(code).toBe(0);
  expect(stderr).toContain("visible to other users");
  expect(stderr).toContain("--env");
  expect(stdout + stderr).not.toContain(secret);
});

test.concurrent.each([
  ["npx", ["-y", "some-server"], "Pin it with --arg some-server@VERSION"],
  ["/usr/bin/npx", ["--package=@a/b", "b"], "Pin it with --arg @a/b@VERSION"],
  ["npx", ["-y", "some-server@latest"], "Pin it with"],
])("add offers to pin what %s %j starts", async (command, args, advice) => {
  await using bench = await openBench();
  const flags = args.flatMap((arg) => ["--arg", arg]);
  const { code, stderr } = await bench.run("mcp", "add", "x", "--command", command, ...flags);
  expect(code).toBe(0);
  expect(stderr).toContain(advice);
});

test.concurrent.each([
  ["npx", ["-y", "some-server@1.2.3"]],
  ["npx", ["-y", "@a/b@2"]],
  ["npx", ["./local"]],
  ["node", ["some-server"]],
])("add has no advice on %s %j", async (command, args) => {
  await using bench = await openBench();
  const flags = args.flatMap((arg) => ["--arg", arg]);
  const { answer } = await bench.json("mcp", "add", "x", "--command", command, ...flags);
  expect(answer).toEqual({ name: "x", replaced: false, advice: [] });
});

test.concurrent("add says which variables are missing now", async () => {
  await using bench = await openBench();
  const flags = ["--command", "node", "--env", "A={env:NOT_THERE_1}"];
  const { code, stderr } = await bench.run("mcp", "add", "x", ...flags);
  expect(code).toBe(0);
  expect(stderr).toContain("NOT_THERE_1");
});

test.concurrent("disable and enable change the flag and nothing else", async () => {
  await using bench = await openBench();
  const entry = { command: "node", args: ["a"], alwaysAllow: ["x"] };
  await bench.write("home/mcp.json", { mcpServers: { one: entry } });
  expect((await bench.run("mcp", "disable", "one")).stdout).toContain("one is off");
  expect(await readStore(bench)).toEqual({ mcpServers: { one: { ...entry, disabled: true } } });
  expect((await bench.json("mcp", "list")).answer).toMatchObject({
    servers: [{ name: "one", state: "disabled" }],
  });
  const { answer } = await bench.json("mcp", "enable", "one");
  expect(answer).toEqual({ name: "one", disabled: false });
  expect(await readStore(bench)).toEqual({ mcpServers: { one: entry } });
});

test.concurrent("remove takes the server out", async () => {
  await using bench = await openBench();
  await bench.run("mcp", "add", "one", "--command", "node");
  expect(await bench.run("mcp", "remove", "one")).toEqual({
    code: 0,
    stdout: "Removed one.\n",
    stderr: "",
  });
  expect(await readStore(bench)).toEqual({ mcpServers: {} });
});

test.concurrent.each(["show", "remove", "enable", "disable", "test"])(
  "%s of an unknown server names the nearest one",
  async (verb) => {
    await using bench = await openBench();
    await bench.write("home/mcp.json", { mcpServers: { github: { command: "node" } } });
    expect(await bench.run("mcp", verb, "githib")).toEqual({
      code: 3,
      stdout: "",
      stderr:
        'postern: There is no server named "githib" in mcp.json; did you mean "github"? See them with: postern mcp list\n',
    });
  },
);

test.concurrent("an unknown server is JSON on stdout with --json", async () => {
  await using bench = await openBench();
  expect(await bench.json("mcp", "remove", "nothing-like-it")).toEqual({
    code: 3,
    answer: {
      error: "UNKNOWN_SERVER",
      message:
        'There is no server named "nothing-like-it" in mcp.json. See them with: postern mcp list',
    },
  });
});

test.concurrent("list and show say what is set and never a secret", async () => {
  await using bench = await openBench();
  await bench.write("home/mcp.json", {
    mcpServers: {
      cmd: {
        command: "node",
        args: ["--api-key", "s3cr3t-one", "--token=s3cr3t-two", "plain"],
        env: { KEY: "s3cr3t-three", OTHER: "{env:OTHER}" },
      },
      web: {
        url: "https://host.example/mcp?key=s3cr3t-five",
        headers: { "X-K": "s3cr3t-six" },
      },
    },
  });
  for (const words of [["list"], ["show", "cmd"], ["show", "web"]]) {
    const people = await bench.run("mcp", ...words);
    const { code, answer } = await bench.json("mcp", ...words);
    expect([people.code, code]).toEqual([0, 0]);
    expect(people.stdout + people.stderr + JSON.stringify(answer)).not.toContain("s3cr3t");
  }
  const { stdout } = await bench.run("mcp", "list");
  expect(stdout).toContain("KEY,OTHER");
  expect(stdout).toContain("plain");
  expect((await bench.json("mcp", "show", "web")).answer).toMatchObject({
    name: "web",
    state: "enabled",
    transport: "http",
    headers: ["X-K"],
    protocol: "auto",
    prefix: "web_",
  });
});

test.concurrent("list without servers says how to add one", async () => {
  await using bench = await openBench();
  const { code, stdout, stderr } = await bench.run("mcp", "list");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain("postern mcp add NAME");
  expect(await bench.json("mcp", "list")).toEqual({ code: 0, answer: { servers: [] } });
});

test.concurrent("a broken entry is listed, explained and removable, and stops no other", async () => {
  await using bench = await openBench();
  await bench.write("home/mcp.json", {
    mcpServers: { bad: { command: 7 }, good: { command: "node" } },
  });
  const { code, stdout, stderr } = await bench.run("mcp", "list");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^good +enabled/m);
  expect(stdout).toMatch(/^bad +broken/m);
  expect(stderr).toMatch(/bad: .*mcp\.json:1:\d+: /);
  expect((await bench.json("mcp", "show", "bad")).answer).toMatchObject({ error: "INVALID_ENTRY" });
  expect((await bench.run("mcp", "remove", "bad")).code).toBe(0);
  expect(await readStore(bench)).toEqual({ mcpServers: { good: { command: "node" } } });
});

test.concurrent("a file that is not JSON is a configuration error with its place, and is left alone", async () => {
  await using bench = await openBench();
  await bench.write("home/mcp.json", '{ "mcpServers": { "a": { "command": "x" } ');
  const { code, answer } = await bench.json("mcp", "add", "b", "--command", "node");
  expect(code).toBe(3);
  expect(answer).toMatchObject({ error: "INVALID_FILE" });
  expect(await readFile(join(bench.home, "mcp.json"), "utf8")).toBe(
    '{ "mcpServers": { "a": { "command": "x" } ',
  );
});
