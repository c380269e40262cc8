import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { openFolder, type Folder } from "@postern/test-kit";
import { createCallContext, type JsonObject } from "@postern/tool";
import { readPosternFile, writeTrust } from "@postern/config/files";
import { expect, test } from "vitest";
import type { HostOptions } from "./host-options.js";
import { openHost } from "./open-host.js";
import { serveProxy } from "./serve-proxy.js";

const server = fileURLToPath(new URL("../fixtures/telling-server.mjs", import.meta.url));
const telling = { command: process.execPath, args: [server] };

async function openStage(mcpServers: object): Promise<{ folder: Folder; options: HostOptions }> {
  const folder = await openFolder();
  for (const name of ["home", "project", "user"]) await mkdir(folder.join(name), { mode: 0o700 });
  await writeFile(folder.join("home", "mcp.json"), JSON.stringify({ mcpServers }));
  const env = { PATH: process.env["PATH"], HOME: folder.join("user") };
  const options = { home: folder.join("home"), project: folder.join("project"), env };
  return { folder, options };
}

/** What a server of the set says of the process it is. */
async function readTelling(options: HostOptions, name = "s_tell"): Promise<JsonObject> {
  await using host = await openHost(options);
  const outcome = await host.tools.call({ name, arguments: {}, context: createCallContext() });
  return outcome["structuredContent"] as JsonObject;
}

test("gives a third-party server the safe base and its own variables, nothing else of the owner's", async () => {
  const { folder, options } = await openStage({ s: { ...telling, env: { OWN: "{env:GIVEN}" } } });
  await using _ = folder;
  const secrets = {
    GIVEN: "given",
    POSTERN_ALLOW_ROOT_TOOLS: "1",
    POSTERN_HOME: "/x",
    POSTERN_TOOL_CALL_TIMEOUT: "5",
    BRAVE_API_KEY: "key",
    OPENAI_API_KEY: "key",
    AWS_SECRET_ACCESS_KEY: "key",
    SSH_AUTH_SOCK: "/x",
    NODE_OPTIONS: "--no-warnings",
    LD_PRELOAD: "",
    npm_config_registry: "http://x",
  };
  const { env } = await readTelling({ ...options, env: { ...options.env, ...secrets } });
  expect(env).toEqual({ ...options.env, OWN: "given" });
});

test("starts the owner's servers outside the project, whose files a launcher would obey", async () => {
  const { folder, options } = await openStage({ s: telling });
  await using _ = folder;
  expect((await readTelling(options))["cwd"]).toBe(folder.join("user"));
});

test("runs nothing of the project for an owner's server that npx starts", async () => {
  const { folder, options } = await openStage({
    s: { command: "npx", args: ["--no", "mcp-thing"], connect_timeout: 20 },
  });
  await using _ = folder;
  const bin = folder.join("project", "node_modules", ".bin");
  await mkdir(bin, { recursive: true });
  await writeFile(folder.join("project", "package.json"), "{}");
  await writeFile(`${bin}/mcp-thing`, `#!/bin/sh\ntouch ${folder.join("mark")}\n`);
  await chmod(`${bin}/mcp-thing`, 0o755);
  await using host = await openHost(options);
  expect(host.tools.missing().map(({ server: name }) => name)).toContain("s");
  await expect(readFile(folder.join("mark"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("starts a server in the project where its owner says so, or the project's own trusted file declares it", async () => {
  const { folder, options } = await openStage({ s: { ...telling, cwd: "." } });
  await using _ = folder;
  expect((await readTelling(options))["cwd"]).toBe(folder.join("project"));
  const file = folder.join("project", "postern.json");
  const project = { domains: { D: { mcp_servers: { own: telling } } } };
  await writeFile(file, JSON.stringify(project));
  await writeTrust(options.home, file, (await readPosternFile(file))?.sha256 ?? "");
  const told = await readTelling({ ...options, domain: "D" }, "own_tell");
  expect(told["cwd"]).toBe(folder.join("project"));
});

test("sends nothing of a caller's request to an upstream but the call itself", async () => {
  const heard: string[] = [];
  const upstream = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      heard.push(JSON.stringify(request.headers) + body);
      const { id, method } = JSON.parse(body || "{}") as { id?: number; method?: string };
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "u", version: "1" },
        },
        "tools/list": { tools: [{ name: "t", inputSchema: { type: "object" } }] },
        "tools/call": { content: [] },
      };
      const result = results[method ?? ""] ?? {};
      response.writeHead(id === undefined ? 202 : 200, { "content-type": "application/json" });
      response.end(id === undefined ? "" : JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  const { port } = upstream.address() as AddressInfo;
  const { folder, options } = await openStage({
    u: { url: `http://127.0.0.1:${port}/mcp`, protocol: "legacy" },
  });
  await using _ = folder;
  {
    await using host = await openHost(options);
    await using proxy = await serveProxy(host, { kind: "http", port: 0 });
    const answer = await fetch(proxy.url ?? "", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${proxy.token}`,
        cookie: "canary=1",
        "x-forwarded-for": "canary",
        "mcp-session-id": "canary",
        "mcp-param-x": "canary",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: "canary",
        method: "tools/call",
        params: { name: "u_t", arguments: {}, _meta: { "dev.postern/granted": ["canary"] } },
      }),
    });
    expect(await answer.text()).toContain('"content":[]');
    const all = heard.join("\n");
    expect(all).toContain("tools/call");
    expect(all.includes("canary") || all.includes(proxy.token ?? "x")).toBe(false);
    expect(all.toLowerCase()).not.toContain("authorization");
  }
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});
