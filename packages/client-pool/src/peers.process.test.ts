import { writeFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { openFolder, peerServer, waitFor } from "@postern/test-kit";
import { createCallContext } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { callTool, connect, readNames } from "../fixtures/scripted-pool.js";
import { connectServers } from "./index.js";

describe("servers that nobody here wrote, over stdio", () => {
  it("are listed and called side by side", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("note.txt"), "remember me");
    await using pool = await connect({
      every: peerServer("everything"),
      files: peerServer("filesystem", [folder.path]),
      memory: { ...peerServer("memory"), env: { MEMORY_FILE_PATH: folder.join("memory.json") } },
    });
    expect(pool.missing()).toEqual([]);
    const names = await readNames(pool);
    expect(names).toEqual(
      expect.arrayContaining(["every_echo", "files_read_text_file", "memory_create_entities"]),
    );
    expect(await callTool(pool, "every_echo", { args: { message: "hi" } })).toEqual({
      content: [{ type: "text", text: "Echo: hi" }],
    });
    const path = folder.join("note.txt");
    expect(await callTool(pool, "files_read_text_file", { args: { path } })).toMatchObject({
      content: [{ text: "remember me" }],
      structuredContent: { content: "remember me" },
    });
    expect(
      await callTool(pool, "files_read_text_file", { args: { path: "/etc/passwd" } }),
    ).toMatchObject({
      isError: true,
    });
    const entities = [{ name: "Ada", entityType: "person", observations: ["counts"] }];
    await callTool(pool, "memory_create_entities", { args: { entities } });
    expect(await callTool(pool, "memory_read_graph")).toMatchObject({
      structuredContent: { entities, relations: [] },
    });
    const listing = (await pool.list()).find(({ name }) => name === "files_read_text_file");
    expect(listing).toMatchObject({
      server: "files",
      originalName: "read_text_file",
      annotations: { readOnlyHint: true },
    });
  });

  it("give prompts, resources, templates and completions", async () => {
    await using pool = await connect({ every: peerServer("everything") });
    const listed = await pool.list({ kinds: ["prompt", "resource", "template"] });
    expect(new Set(listed.map(({ kind }) => kind))).toEqual(
      new Set(["prompt", "resource", "template"]),
    );
    const context = createCallContext();
    const prompt = { name: "every_simple-prompt" };
    expect(await pool.request("prompts/get", prompt, context)).toMatchObject({
      messages: [{ role: "user" }],
    });
    const uri = "demo://resource/dynamic/text/7";
    expect(await pool.request("resources/read", { uri }, context)).toMatchObject({
      contents: [{ uri }],
    });
    const argument = { name: "department", value: "E" };
    const ref = { type: "ref/prompt", name: "every_completable-prompt" };
    expect(await pool.request("completion/complete", { ref, argument }, context)).toMatchObject({
      completion: { values: ["Engineering"] },
    });
    const wrong = { uri: "demo://resource/dynamic/text/none" };
    await expect(pool.request("resources/read", wrong, context)).rejects.toMatchObject({
      code: "UPSTREAM_ERROR",
      data: { server: "every", rpcCode: expect.any(Number) },
    });
  });

  it("report progress and hear of an abort", async () => {
    await using pool = await connect({ every: peerServer("everything") });
    const steps: number[] = [];
    await callTool(pool, "every_trigger-long-running-operation", {
      args: { duration: 0.3, steps: 3 },
      progress: ({ progress }) => void steps.push(progress),
    });
    expect(steps).toEqual([1, 2, 3]);
    const signal = AbortSignal.timeout(100);
    const args = { duration: 60, steps: 2 };
    const aborted = callTool(pool, "every_trigger-long-running-operation", { args, signal });
    await expect(aborted).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

describe("server-everything over streamable HTTP", () => {
  it("is listed and called, and again after it lost every session", async () => {
    const port = await findFreePort();
    using first = await startEverything(port);
    await using pool = await connectServers({ every: { url: `http://127.0.0.1:${port}/mcp` } });
    expect(pool.servers()).toMatchObject([
      { state: "connected", era: "legacy", transport: "http" },
    ]);
    const echo = () => callTool(pool, "every_echo", { args: { message: "hi" } });
    expect(await echo()).toEqual({ content: [{ type: "text", text: "Echo: hi" }] });
    first.kill("SIGKILL");
    using second = await startEverything(port);
    expect(await waitFor(async () => (await echo().catch(() => undefined)) !== undefined)).toBe(
      true,
    );
    expect(await echo()).toEqual({ content: [{ type: "text", text: "Echo: hi" }] });
    expect(second.exitCode).toBeNull();
  });
});

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

async function startEverything(port: number): Promise<ReturnType<typeof spawn>> {
  const { command, args } = peerServer("everything", ["streamableHttp"]);
  const child = spawn(command, args, {
    env: { PATH: "/usr/bin:/bin", PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  const up = await waitFor(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    20_000,
  );
  expect(up).toBe(true);
  return child;
}
