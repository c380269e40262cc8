import { join } from "node:path";
import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { openFolder, type Folder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.js";
import { deleteServer, readMcpFile, updateServer, writeServer } from "./mcp-file.js";

interface Home extends AsyncDisposable {
  readonly path: string;
  text(): Promise<string>;
}

/** A home folder, with an mcp.json where text is given. */
async function openHome(text?: string): Promise<Home> {
  const folder: Folder = await openFolder();
  const file = folder.join("mcp.json");
  if (text !== undefined) await writeFile(file, text);
  return {
    path: folder.path,
    text: () => readFile(file, "utf8"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const shared = `{
  // shared with my editor
  "mcpServers": {
    "github": {
      "command": "npx", // pinned below
      "args": ["-y", "server-github@1.2.3"],
      "autoApprove": ["search"]
    }
  },
  "theme": "dark"
}
`;

const added = `{
  // shared with my editor
  "mcpServers": {
    "github": {
      "command": "npx", // pinned below
      "args": ["-y", "server-github@1.2.3"],
      "autoApprove": ["search"]
    },
    "fs": {
      "command": "npx",
      "args": ["-y", "fs"]
    }
  },
  "theme": "dark"
}
`;

const fs: JsonObject = { command: "npx", args: ["-y", "fs"] };

describe("readMcpFile()", () => {
  it("reads a missing file as no servers", async () => {
    await using home = await openHome();
    expect(await readMcpFile(home.path)).toMatchObject({
      ok: true,
      value: { servers: {}, broken: [] },
    });
  });

  it.each([
    ["mcp.json", 0o666],
    [".", 0o777],
  ])("takes nothing from where everybody can write: %s", async (path, mode) => {
    await using home = await openHome(shared);
    await chmod(join(home.path, path), mode);
    const problems = [{ code: "NOT_PRIVATE", message: expect.stringContaining("chmod o-w") }];
    expect(await readMcpFile(home.path)).toMatchObject({ ok: false, problems });
  });

  it("reads a missing home as no servers, and makes nothing", async () => {
    await using home = await openHome();
    expect(await readMcpFile(`${home.path}/none`)).toMatchObject({ ok: true });
    expect(await readdir(home.path)).toEqual([]);
  });

  it("names the whole path in problems", async () => {
    await using home = await openHome("{");
    expect(await readMcpFile(home.path)).toMatchObject({
      ok: false,
      problems: [{ file: `${home.path}/mcp.json` }],
    });
  });

  it("gives a problem for a file that is no text", async () => {
    await using home = await openHome();
    await writeFile(`${home.path}/mcp.json`, new Uint8Array([0xff, 0xfe, 0x00]));
    expect(await readMcpFile(home.path)).toMatchObject({
      ok: false,
      problems: [{ code: "FILE_UNREADABLE", line: 0 }],
    });
  });

  it("gives a problem for a file that is far too large, without reading it", async () => {
    await using home = await openHome(" ".repeat(4_000_000));
    expect(await readMcpFile(home.path)).toMatchObject({
      ok: false,
      problems: [{ code: "FILE_UNREADABLE" }],
    });
  });
});

describe("writeServer()", () => {
  it("makes a file with the one server, for the owner only", async () => {
    await using home = await openHome();
    await writeServer(home.path, { name: "fs", server: fs });
    expect(await home.text()).toBe(`{
  "mcpServers": {
    "fs": {
      "command": "npx",
      "args": ["-y", "fs"]
    }
  }
}
`);
    expect((await stat(`${home.path}/mcp.json`)).mode & 0o777).toBe(0o600);
  });

  it("makes the home folder, for the owner only", async () => {
    await using home = await openHome();
    await writeServer(`${home.path}/a/b`, { name: "fs", server: fs });
    expect((await stat(`${home.path}/a/b`)).mode & 0o777).toBe(0o700);
  });

  it("adds a server and leaves the rest of the file as it is", async () => {
    await using home = await openHome(shared);
    await writeServer(home.path, { name: "fs", server: fs });
    expect(await home.text()).toBe(added);
  });

  it("keeps the array form, and the order", async () => {
    await using home = await openHome('[\n  {\n    "name": "a",\n    "command": "x"\n  }\n]\n');
    await writeServer(home.path, { name: "b", server: { url: "https://host/mcp" } });
    expect(JSON.parse(await home.text())).toEqual([
      { name: "a", command: "x" },
      { name: "b", url: "https://host/mcp" },
    ]);
    await writeServer(home.path, { name: "a", server: { command: "y" }, replace: true });
    expect(JSON.parse(await home.text())).toEqual([
      { name: "a", command: "y" },
      { name: "b", url: "https://host/mcp" },
    ]);
  });

  it("gives a file without servers the place for them", async () => {
    await using home = await openHome('{ "theme": "dark" }\n');
    await writeServer(home.path, { name: "fs", server: fs });
    expect(JSON.parse(await home.text())).toEqual({ theme: "dark", mcpServers: { fs } });
  });

  it("refuses to replace a server unless told to", async () => {
    await using home = await openHome(shared);
    const write = writeServer(home.path, { name: "github", server: fs });
    await expect(write).rejects.toMatchObject({ code: "SERVER_EXISTS" });
    expect(await home.text()).toBe(shared);
  });

  it("takes nothing of the replaced server over, least of all another host's approval", async () => {
    await using home = await openHome(shared);
    await writeServer(home.path, { name: "github", server: fs, replace: true });
    expect(await home.text()).not.toContain("autoApprove");
    expect(await home.text()).toContain("// shared with my editor");
  });

  it.each([
    ["no command and no url", "a", {}, "INVALID_SERVER"],
    ["a wrong type", "a", { command: 1 }, "INVALID_SERVER"],
    [
      "a reference in program text",
      "a",
      { command: "sh", args: ["-c", "{env:X}"] },
      "INVALID_SERVER",
    ],
    ["a name that is none", "__proto__", fs, "INVALID_SERVER"],
    ["a name with a blank", "a b", fs, "INVALID_SERVER"],
    ["a name that begins another's", "git", fs, "SERVER_NAME_CLASH"],
    ["a name that another's begins", "git_hub_x", fs, "SERVER_NAME_CLASH"],
  ])("refuses a server with %s and writes nothing", async (...[, name, server, code]) => {
    const text = '{"mcpServers": {"git_hub": {"command": "x"}}}';
    await using home = await openHome(text);
    await expect(writeServer(home.path, { name, server })).rejects.toMatchObject({ code });
    expect(await home.text()).toBe(text);
  });

  it("says what is wrong with a refused server, and with which of its keys", async () => {
    await using home = await openHome();
    const write = writeServer(home.path, { name: "s", server: { command: "x", cwd: 1 } });
    await expect(write).rejects.toThrow(
      "The server s was not written: mcpServers.s.cwd: Expected a text in double quotes, found a number.",
    );
    expect(await readdir(home.path)).toEqual([]);
  });

  it.each([
    ["no JSON", '{ "mcpServers": { "a": '],
    ["empty", ""],
    ["a key twice", '{"mcpServers": {}, "mcpServers": {}}'],
    ["neither form", '"x"'],
    ["servers of a wrong type", '{"mcpServers": "x"}'],
  ])("never writes over a file that is %s", async (_, text) => {
    await using home = await openHome(text);
    await expect(writeServer(home.path, { name: "fs", server: fs })).rejects.toMatchObject({
      code: "FILE_BROKEN",
    });
    await expect(updateServer(home.path, "fs", () => fs)).rejects.toMatchObject({
      code: "FILE_BROKEN",
    });
    await expect(deleteServer(home.path, "fs")).rejects.toMatchObject({ code: "FILE_BROKEN" });
    expect(await home.text()).toBe(text);
    expect(await readdir(home.path)).toEqual(["mcp.json"]);
  });

  it("says where a broken file is at fault", async () => {
    await using home = await openHome('{\n  "a": 1,\n  "a": 2\n}');
    await expect(writeServer(home.path, { name: "fs", server: fs })).rejects.toThrow(
      'line 3, column 3: "a" is written twice, at 2:3 and at 3:3.',
    );
  });

  it("writes through a symbolic link", async () => {
    await using home = await openHome();
    await writeFile(`${home.path}/real.json`, "{}");
    await symlink("real.json", `${home.path}/mcp.json`);
    await writeServer(home.path, { name: "fs", server: fs });
    expect(JSON.parse(await readFile(`${home.path}/real.json`, "utf8"))).toEqual({
      mcpServers: { fs },
    });
  });

  it("loses none of many servers that are added at once", async () => {
    await using home = await openHome();
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    await Promise.all(names.map((name) => writeServer(home.path, { name, server: fs })));
    const read = await readMcpFile(home.path);
    expect(read.ok && Object.keys(read.value.servers).toSorted()).toEqual(names.toSorted());
  });

  it("does not change what it is given", async () => {
    await using home = await openHome();
    const server = Object.freeze({ command: "npx", args: Object.freeze(["a"]) });
    await writeServer(home.path, Object.freeze({ name: "fs", server }));
    expect(server).toEqual({ command: "npx", args: ["a"] });
  });
});

describe("updateServer()", () => {
  it("changes one key and keeps foreign keys and comments", async () => {
    await using home = await openHome(shared);
    await updateServer(home.path, "github", (server) => ({ ...server, disabled: true }));
    expect(await home.text()).toBe(
      shared.replace(
        '"autoApprove": ["search"]',
        '"autoApprove": ["search"],\n      "disabled": true',
      ),
    );
    await updateServer(home.path, "github", (server) =>
      Object.fromEntries(Object.entries(server).filter(([key]) => key !== "disabled")),
    );
    expect(await home.text()).toBe(shared);
  });

  it("changes inside an object without touching its other keys", async () => {
    await using home = await openHome(
      '{"mcpServers": {"a": {"command": "x", "env": { /* mine */ "A": "1", "B": "2" }}}}',
    );
    await updateServer(home.path, "a", (server) => ({ ...server, env: { A: "1", B: "3" } }));
    expect(await home.text()).toBe(
      '{"mcpServers": {"a": {"command": "x", "env": { /* mine */ "A": "1", "B": "3" }}}}',
    );
  });

  it("works on the array form, where the name stays", async () => {
    await using home = await openHome('[{"name": "a", "command": "x", "extra": 1}]');
    await updateServer(home.path, "a", (server) => ({ ...server, command: "y" }));
    expect(await home.text()).toBe('[{"name": "a", "command": "y", "extra": 1}]');
  });

  it("leaves the file alone where there is nothing to change", async () => {
    await using home = await openHome(shared);
    await updateServer(home.path, "github", () => undefined);
    await updateServer(home.path, "github", (server) => server);
    expect(await home.text()).toBe(shared);
  });

  it("refuses a change that puts the server at fault", async () => {
    await using home = await openHome(shared);
    const update = updateServer(home.path, "github", (server) => ({
      ...server,
      url: "https://host",
    }));
    await expect(update).rejects.toMatchObject({ code: "INVALID_SERVER" });
    expect(await home.text()).toBe(shared);
  });

  it("lets a server that was at fault before be disabled", async () => {
    await using home = await openHome(
      '{"mcpServers": {"old": {"type": "sse", "url": "https://host"}}}',
    );
    await updateServer(home.path, "old", (server) => ({ ...server, disabled: true }));
    expect(await home.text()).toContain('"disabled": true');
  });

  it("names the server that was meant", async () => {
    await using home = await openHome(shared);
    const update = updateServer(home.path, "githb", (server) => server);
    await expect(update).rejects.toMatchObject({
      code: "SERVER_UNKNOWN",
      data: { nearest: "github" },
    });
    await using empty = await openHome();
    await expect(updateServer(empty.path, "x", (server) => server)).rejects.toMatchObject({
      code: "SERVER_UNKNOWN",
    });
  });
});

describe("deleteServer()", () => {
  it("takes a server out and leaves the rest as it was before it was added", async () => {
    await using home = await openHome(added);
    expect(await deleteServer(home.path, "fs")).toBe(true);
    expect(await home.text()).toBe(shared);
  });

  it("tells that there was none", async () => {
    await using home = await openHome(shared);
    expect(await deleteServer(home.path, "fs")).toBe(false);
    expect(await deleteServer(`${home.path}/none`, "fs")).toBe(false);
    expect(await home.text()).toBe(shared);
  });

  it("takes out a server whose name or entry is at fault", async () => {
    await using home = await openHome('{"mcpServers": {"a b": 1, "__proto__": {}}}');
    expect(await deleteServer(home.path, "a b")).toBe(true);
    expect(await deleteServer(home.path, "__proto__")).toBe(true);
    expect(JSON.parse(await home.text())).toEqual({ mcpServers: {} });
  });

  it("takes every entry of that name out of the array form", async () => {
    await using home = await openHome(
      '[{"name": "a", "command": "x"}, {"name": "b", "command": "y"}, {"name": "a"}]',
    );
    expect(await deleteServer(home.path, "a")).toBe(true);
    expect(JSON.parse(await home.text())).toEqual([{ name: "b", command: "y" }]);
  });
});
