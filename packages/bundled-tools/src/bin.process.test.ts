import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "@postern/tool";
import { bundleSource, openFolder, waitFor, type Folder } from "@postern/test-kit";

const manifest: { readonly version: string } = JSON.parse(
  await readFile(new URL("../package.json", import.meta.url), "utf8"),
);
let built: Folder;
let program: string;

beforeAll(async () => {
  built = await openFolder();
  // Other users must be able to run it, for the tests that need one who is not root.
  await chmod(built.path, 0o755);
  await mkdir(built.join("dist"));
  for (const folder of [".", "dist"])
    await copyFile(new URL("../package.json", import.meta.url), built.join(folder, "package.json"));
  program = await bundleSource(new URL("./bin.ts", import.meta.url).pathname, built.join("dist"));
});

afterAll(() => built[Symbol.asyncDispose]());

const fileNames = ["list_files", "read_file", "write_file", "edit_file", "find_files", "grep"];
const webNames = ["web_fetch", "download_file", "web_search", "search_papers"];
const names = [...fileNames, "run_command", ...webNames];

interface Start {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly unprivileged?: boolean;
}

interface Running extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stderr: () => string;
  readonly stdout: () => string;
  request(method: string, params: JsonObject): Promise<JsonObject>;
  call(name: string, args: JsonObject): Promise<JsonObject>;
}

const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/** Starts the program; the tools work for root only where a test sets the variable for this child. */
function start({ args = [], env = {}, unprivileged = false }: Start): Running {
  const isSwitching = unprivileged && process.geteuid?.() === 0;
  const command = [process.execPath, program, ...args];
  const child = isSwitching
    ? spawn("setpriv", [...nobody, ...command], { env })
    : spawn(process.execPath, command.slice(1), { env });
  const texts = { out: "", err: "" };
  const waiting = new Map<unknown, (answer: JsonObject) => void>();
  child.stderr.on("data", (chunk: Buffer) => (texts.err += chunk.toString()));
  createInterface({ input: child.stdout }).on("line", (line) => {
    texts.out += `${line}\n`;
    if (!line.startsWith("{")) return;
    const answer = JSON.parse(line) as JsonObject;
    waiting.get(answer["id"])?.(answer);
  });
  let id = 0;
  const request = (method: string, params: JsonObject): Promise<JsonObject> => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((done) => waiting.set(id, done)).then(
      (answer) => ((answer as JsonObject)["result"] ?? {}) as JsonObject,
    );
  };
  return {
    child,
    stderr: () => texts.err,
    stdout: () => texts.out,
    request,
    call: async (name, callArgs) => {
      const result = await request("tools/call", { name, arguments: callArgs });
      return (result["structuredContent"] ?? result) as JsonObject;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function connect(options: Start): Promise<Running> {
  const running = start(options);
  await running.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  running.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return running;
}

const allowRoot = { POSTERN_ALLOW_ROOT_TOOLS: "1" };
const toNames = (list: JsonObject): unknown =>
  (list["tools"] as unknown as readonly JsonObject[]).map(({ name }) => name);

it("serves its tools over stdio and ends with its client", async () => {
  await using folder = await openFolder();
  await writeFile(folder.join("a.txt"), "hello\n");
  await using server = await connect({ args: ["--root", folder.path], env: allowRoot });
  expect(toNames(await server.request("tools/list", {}))).toEqual(names);
  expect(
    await server.call("read_file", { path: "a.txt", limit: null, offset: null }),
  ).toMatchObject({
    content: "1: hello",
    error: "",
  });
  expect(await server.call("list_files", {})).toMatchObject({ files: [{ path: "a.txt" }] });
  server.child.stdin.end();
  expect(await once(server.child, "exit")).toEqual([0, null]);
});

it.each([
  { flag: "--grants", wanted: { content: "1: hello" } },
  { flag: "--include-tags=bundled", wanted: { code: "PATH_OUTSIDE_ROOT" } },
])("with $flag answers $wanted for what its client says was allowed", async ({ flag, wanted }) => {
  await using folder = await openFolder();
  await mkdir(folder.join("root"));
  await writeFile(folder.join("a.txt"), "hello\n");
  await using server = await connect({
    args: ["--root", folder.join("root"), flag],
    env: allowRoot,
  });
  const result = await server.request("tools/call", {
    name: "read_file",
    arguments: { path: "../a.txt" },
    _meta: { "dev.postern/granted": [folder.join("a.txt")] },
  });
  expect(result["structuredContent"]).toMatchObject(wanted);
});

it("serves the folder it was started in unless told otherwise", async () => {
  await using server = await connect({ env: allowRoot });
  expect(await server.call("list_files", { pattern: "package.json" })).toMatchObject({
    files: [{ path: "package.json" }],
  });
});

it.runIf(process.geteuid?.() === 0)(
  "refuses for the root user in every tool, and warns once",
  async () => {
    await using server = await connect({});
    const refused = { error: expect.stringContaining("POSTERN_ALLOW_ROOT_TOOLS") };
    expect(await server.call("list_files", {})).toMatchObject(refused);
    expect(await server.call("read_file", { path: "package.json" })).toMatchObject(refused);
    expect(server.stderr().trim().split("\n")).toEqual([
      expect.stringMatching(/^Warning: .*refuse/),
    ]);
  },
);

it.runIf(process.geteuid?.() === 0)("warns of root's rights when root is allowed", async () => {
  await using server = await connect({ env: { POSTERN_ALLOW_ROOT_TOOLS: " Yes " } });
  expect(await server.call("list_files", {})).toMatchObject({ error: "" });
  expect(server.stderr().trim().split("\n")).toEqual([
    expect.stringMatching(/^Warning: .*all its rights/),
  ]);
});

it("works for another user without the variable, and stays within that user's rights", async () => {
  await using folder = await openFolder();
  await chmod(folder.path, 0o755);
  await mkdir(folder.join("closed"), { mode: 0o700 });
  await mkdir(folder.join("listable"), { mode: 0o744 });
  await mkdir(folder.join("open"), { mode: 0o755 });
  await writeFile(folder.join("closed", "hidden"), "");
  await writeFile(folder.join("listable", "seen"), "");
  await writeFile(folder.join("open", "b"), "b");
  await writeFile(folder.join("secret.txt"), "secret", { mode: 0o600 });
  await symlink("/root/.bashrc", folder.join("open", "out"));
  const args = ["--root", folder.path];
  await using server = await connect({ args, unprivileged: true });
  const listed = await server.call("list_files", { recursive: true });
  expect(listed).toMatchObject({
    files: ["closed", "listable", "open", "open/b", "open/out", "secret.txt"].map((path) => ({
      path,
    })),
    note: 'Could not be looked into: "closed", "listable/seen".',
    error: "",
  });
  const failures = await Promise.all([
    server.call("list_files", { path: "closed" }),
    server.call("read_file", { path: "closed/hidden" }),
    server.call("read_file", { path: "secret.txt" }),
    server.call("read_file", { path: "open/out" }),
  ]);
  expect(failures.map(({ code }) => code)).toEqual([
    "PERMISSION_DENIED",
    "PERMISSION_DENIED",
    "PERMISSION_DENIED",
    "PATH_OUTSIDE_ROOT",
  ]);
  expect(server.stderr()).toBe("");
});

async function offered(...args: readonly string[]): Promise<unknown> {
  await using server = await connect({ args, env: allowRoot });
  return toNames(await server.request("tools/list", {}));
}

it("offers only the tools that the tag flags leave", async () => {
  expect([
    await offered("--include-tags", "files,code"),
    await offered("--include-tags", "web"),
    await offered("--exclude-tags=local,search"),
    await offered("--include-tags", "bundled", "--exclude-tags", "web", "--exclude-tags", "code"),
  ]).toEqual([
    [...fileNames, "run_command"],
    webNames,
    webNames.filter((name) => name !== "web_search"),
    fileNames,
  ]);
});

it("stays within another user's rights when it writes, searches and runs commands", async () => {
  await using folder = await openFolder();
  await chmod(folder.path, 0o755);
  await mkdir(folder.join("closed"), { mode: 0o700 });
  await mkdir(folder.join("shared"), { mode: 0o777 });
  await chmod(folder.join("shared"), 0o777);
  await writeFile(folder.join("closed", "hidden"), "needle");
  await writeFile(folder.join("mine"), "needle", { mode: 0o644 });
  await using server = await connect({ args: ["--root", folder.path], unprivileged: true });
  const edit = { path: "mine", old_string: "needle", new_string: "x" };
  const failures = await Promise.all([
    server.call("write_file", { path: "closed/new", content: "" }),
    server.call("write_file", { path: "new", content: "" }),
    server.call("edit_file", edit),
    server.call("find_files", { path: "closed" }),
    server.call("run_command", { command: "true", working_directory: "closed" }),
  ]);
  expect(failures.map(({ code }) => code)).toEqual(failures.map(() => "PERMISSION_DENIED"));
  expect(await server.call("write_file", { path: "shared/new", content: "x" })).toMatchObject({
    created: true,
  });
  expect(await server.call("run_command", { command: "id -u" })).toMatchObject({
    stdout: "65534\n",
  });
  expect(await readFile(folder.join("mine"), "utf8")).toBe("needle");
});

async function run(...args: readonly string[]): Promise<object> {
  await using server = start({ args });
  server.child.stdin.end();
  const [code] = (await once(server.child, "close")) as readonly unknown[];
  return { code, stdout: server.stdout(), stderr: server.stderr() };
}

it("prints its version and its help", async () => {
  expect(await run("--version")).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  expect(await run("--help")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("--allow-host HOST"),
  });
});

it("ends with 2 for wrong flags, with the nearest known one", async () => {
  expect(await run("--htpp", "1")).toEqual({
    code: 2,
    stdout: "",
    stderr: "postern-tools: Unknown flag --htpp. Did you mean --http? See postern-tools --help.\n",
  });
});

it("ends with 1 when its folder is missing", async () => {
  expect(await run("--root", "/no/such/folder")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot be opened"),
  });
});

async function post(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
}

/** Starts it over HTTP and waits for the address. */
async function startHttp(...args: readonly string[]): Promise<Running & { readonly url: string }> {
  const server = start({ args: ["--http", "0", ...args], env: allowRoot });
  await waitFor(() => server.stdout().includes("claude mcp add"));
  const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(server.stdout())?.[0] ?? "";
  return { ...server, url };
}

it("serves HTTP to whoever has the token that it prints once, until it is told to end", async () => {
  await using server = await startHttp();
  const token = /shown only now: ([A-Za-z0-9_-]{43})\n/.exec(server.stdout())?.[1] ?? "";
  expect(server.stdout()).toContain(
    `claude mcp add --transport http postern-tools ${server.url} --header "Authorization: Bearer ${token}"\n`,
  );
  const statuses = [
    (await post(server.url, {})).status,
    (await post(server.url, { authorization: "Bearer wrong" })).status,
    (await post(server.url, { authorization: `Bearer ${token}` })).status,
  ];
  expect(statuses).toEqual([401, 401, 200]);
  server.child.kill("SIGTERM");
  expect(await once(server.child, "exit")).toEqual([0, null]);
});

it("serves HTTP without a token only when told so", async () => {
  await using server = await startHttp("--no-auth");
  expect(server.stdout()).not.toContain("Bearer");
  expect((await post(server.url, {})).status).toBe(200);
});

it("ends with 1 when the port is taken", async () => {
  await using server = await startHttp();
  expect(await run("--http", new URL(server.url).port)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Could not listen"),
  });
});
