import { mkdir, readdir, writeFile } from "node:fs/promises";
import { openFolder, peerServer, type Folder } from "@postern/test-kit";
import {
  createCallContext,
  findResultError,
  type Answer,
  type CallOutcome,
  type Question,
} from "@postern/tool";
import { expect, test } from "vitest";
import type { Host } from "./host-options.js";
import { openHost } from "./open-host.js";

const owner = { kind: "owner", id: "test", scopes: [] } as const;

interface Stage extends AsyncDisposable {
  readonly folder: Folder;
  readonly host: Host;
  readonly asked: Question[];
  /** Calls a tool as the owner, whose answer is given. */
  call(name: string, args: Record<string, string>, answer?: string): Promise<CallOutcome>;
  /** A host on the same files. */
  reopen(): Promise<Host>;
}

async function openStage(settings: object = {}, served?: "served"): Promise<Stage> {
  const folder = await openFolder();
  await mkdir(folder.join("home"), { mode: 0o700 });
  for (const each of ["project", "out", "served"]) await mkdir(folder.join(each));
  for (const each of ["out/a.txt", "out/b.txt", "served/c.txt", "project/.env"])
    await writeFile(folder.join(each), `content of ${each}\n`);
  const servers = served ? { files: peerServer("filesystem", [folder.join("served")]) } : {};
  await writeFile(folder.join("home/mcp.json"), JSON.stringify({ mcpServers: servers }));
  await writeFile(folder.join("home/settings.json"), JSON.stringify(settings));
  const env = { ...process.env, POSTERN_ALLOW_ROOT_TOOLS: "1", HOME: folder.join("home") };
  const reopen = (): Promise<Host> =>
    openHost({ home: folder.join("home"), project: folder.join("project"), env });
  const host = await reopen();
  const asked: Question[] = [];
  return {
    folder,
    host,
    asked,
    reopen,
    call: (name, args, answer) => callAs(host, { name, args, asked, answer }),
    async [Symbol.asyncDispose]() {
      await host.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

interface Asking {
  readonly name: string;
  readonly args: Record<string, string>;
  readonly asked: Question[];
  readonly answer: string | undefined;
}

function callAs(host: Host, { name, args, asked, answer }: Asking): Promise<CallOutcome> {
  const ask = (question: Question): Promise<Answer> => {
    asked.push(question);
    return Promise.resolve(
      answer === undefined ? { action: "cancel" } : { action: "accept", content: { answer } },
    );
  };
  const context = createCallContext({ caller: owner, ask });
  return host.tools.call({ name, arguments: args, context });
}

const codeOf = (outcome: CallOutcome): unknown => findResultError(outcome)?.code;

test("reads a file outside only when the owner allowed it, and that file alone", async () => {
  await using stage = await openStage();
  const read = (path: string, answer?: string): Promise<CallOutcome> =>
    stage.call("bundled_read_file", { path }, answer);
  const [a, b] = [stage.folder.join("out/a.txt"), stage.folder.join("out/b.txt")];
  expect(codeOf(await read(a))).toBe("PATH_DENIED");
  expect(codeOf(await read(a, "deny"))).toBe("PATH_DENIED");
  expect(JSON.stringify(await read(a, "once"))).toContain("content of out/a.txt");
  expect(codeOf(await read(a))).toBe("PATH_DENIED");
  expect(JSON.stringify(await read("../out/a.txt", "session"))).toContain("content of out/a.txt");
  expect(JSON.stringify(await read(a))).toContain("content of out/a.txt");
  expect(codeOf(await read(b))).toBe("PATH_DENIED");
  expect(stage.asked).toHaveLength(6);
});

test("asks for a file of the project that holds secrets, and not for others", async () => {
  await using stage = await openStage();
  expect(codeOf(await stage.call("bundled_read_file", { path: ".env" }))).toBe("PATH_DENIED");
  expect(JSON.stringify(await stage.call("bundled_read_file", { path: ".env" }, "once"))).toContain(
    "content of project/.env",
  );
  const command = { command: "cat .env" };
  expect(codeOf(await stage.call("bundled_run_command", command))).toBe("PATH_DENIED");
  expect(JSON.stringify(await stage.call("bundled_run_command", command, "once"))).toContain(
    "content of project/.env",
  );
});

test("keeps what was always allowed, for this project, until it is revoked", async () => {
  await using stage = await openStage();
  const path = stage.folder.join("out/a.txt");
  await stage.call("bundled_read_file", { path }, "always");
  await using again = await stage.reopen();
  const args = { name: "bundled_read_file", args: { path }, asked: [], answer: undefined };
  expect(JSON.stringify(await callAs(again, args))).toContain("content of out/a.txt");
  expect(await readdir(stage.folder.join("home/consents"))).toHaveLength(1);
});

test("uses without asking what the owner named when the server was set up", async () => {
  await using stage = await openStage({}, "served");
  const served = stage.folder.join("served/c.txt");
  expect(JSON.stringify(await stage.call("files_read_text_file", { path: served }))).toContain(
    "content of served/c.txt",
  );
  expect(codeOf(await stage.call("bundled_read_file", { path: served }))).toBe("PATH_DENIED");
  const other = { path: stage.folder.join("out/a.txt") };
  expect(codeOf(await stage.call("files_read_text_file", other))).toBe("PATH_DENIED");
});

test("follows the owner's settings: a wider root, more secrets, further arguments, denied or off", async () => {
  await using wide = await openStage({
    paths: { root: "..", sensitive: ["b.*"], checkpaths: { bundled_grep: ["pattern"] } },
  });
  const path = "out/a.txt";
  expect(JSON.stringify(await wide.call("bundled_read_file", { path }))).toContain("content of");
  expect(codeOf(await wide.call("bundled_read_file", { path: "out/b.txt" }))).toBe("PATH_DENIED");
  expect(codeOf(await wide.call("bundled_grep", { pattern: "/etc" }))).toBe("PATH_DENIED");
  await using closed = await openStage({ paths: { consent: "deny" } });
  const outside = { path: closed.folder.join("out/a.txt") };
  expect(codeOf(await closed.call("bundled_read_file", outside, "once"))).toBe("PATH_DENIED");
  expect(closed.asked).toEqual([]);
  await using off = await openStage({ paths: { consent: "off" } });
  // Then nobody can grant anything, and the tools stay in their folder.
  expect(await off.call("bundled_read_file", outside, "once")).toMatchObject({
    structuredContent: { code: "PATH_OUTSIDE_ROOT" },
  });
  expect(JSON.stringify(await off.call("bundled_read_file", { path: ".env" }))).toContain(
    "content of project/.env",
  );
});
