import { bundleSource, openFolder, waitFor } from "@postern/test-kit";
import { textResult } from "@postern/tool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientKinds, connectClient, type TestClient } from "../fixtures/clients.js";
import { Resources } from "../fixtures/resources.js";
import { sampleListings, SampleSource } from "../fixtures/sample-source.js";
import { createMcpEndpoint } from "./index.js";
import { serveHttp } from "./node/index.js";

const fixture = new URL("../fixtures/stdio-server.ts", import.meta.url).pathname;
const greeting = { messages: [{ role: "user", content: { type: "text", text: "Hello" } }] };
const stack = new Resources();
let bundle = "";

beforeAll(async () => {
  const folder = await openFolder();
  stack.use(folder);
  bundle = await bundleSource(fixture, folder.path);
}, 60_000);
afterAll(() => stack[Symbol.asyncDispose]());

describe.each(clientKinds)("%s", (kind) => {
  const isModern = kind.endsWith("2026-07-28");

  describe.each(["http", "stdio"] as const)("over %s", (carrier) => {
    const changed: string[] = [];
    let client: TestClient;
    const source = new SampleSource();

    beforeAll(async () => {
      if (carrier === "stdio") {
        const target = { command: process.execPath, args: [bundle] };
        client = await connectClient(kind, target, { onChanged: (list) => changed.push(list) });
        stack.use(client);
        return;
      }
      const identity = { name: "sample", version: "1.2.3", instructions: "Be kind." };
      const endpoint = createMcpEndpoint(identity, source);
      const server = await serveHttp(endpoint, { drainMs: 100 });
      client = await connectClient(
        kind,
        { url: server.url },
        { onChanged: (list) => changed.push(list) },
      );
      for (const resource of [endpoint, server, client]) stack.use(resource);
    }, 60_000);

    it("introduces itself and advertises what the set has", () => {
      expect([client.serverName, client.instructions, client.capabilities]).toEqual([
        "sample",
        "Be kind.",
        {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true },
          completions: {},
        },
      ]);
    });

    it("lists the tools whole, with only our own reserved keys", async () => {
      const { tools } = (await client.request("tools/list")) as { tools: { _meta?: object }[] };
      expect(tools.slice(0, 2)).toEqual([
        { ...sampleListings[0]?.raw, _meta: { "example.test/colour": "red" } },
        {
          name: "sample_numbers",
          inputSchema: { type: "object" },
          outputSchema: isModern
            ? { type: "array", items: { type: "number" } }
            : {
                type: "object",
                properties: { result: { type: "array", items: { type: "number" } } },
                required: ["result"],
              },
          _meta: { "dev.postern/tags": ["math"], "dev.postern/checkpaths": ["path"] },
        },
      ]);
    });

    it("calls a tool and reports its progress", async () => {
      const steps: unknown[] = [];
      const onprogress = (step: unknown): void => void steps.push(step);
      const { content } = await client.call(
        "echo",
        { text: "hi" },
        { onprogress, meta: { "test/pause": true } },
      );
      expect({ content, steps }).toEqual({
        content: [{ type: "text", text: "hi" }],
        steps: [{ progress: 1, total: 2, message: "half" }],
      });
    });

    it("gives structured content that is no object in the form the revision has for it", async () => {
      const { structuredContent } = await client.call("sample_numbers");
      expect(structuredContent).toEqual(isModern ? [1, 2, 3] : { result: [1, 2, 3] });
    });

    it("says of wrong arguments what to correct", async () => {
      const { isError, structuredContent } = await client.call("echo", { texd: "hi" });
      expect([isError, structuredContent]).toMatchObject([
        true,
        {
          error: "INVALID_ARGUMENTS",
          problems: ['"text" is missing', '"texd" is not a known argument; did you mean "text"?'],
        },
      ]);
    });

    it("answers for an unknown tool with a result", async () => {
      const { isError, structuredContent } = await client.call("nothing");
      expect([isError, structuredContent]).toMatchObject([true, { error: "UNKNOWN_TOOL" }]);
    });

    it("keeps the text of an unknown error to itself", async () => {
      await expect(client.call("boom")).rejects.toMatchObject({
        code: -32_603,
        message: expect.not.stringContaining("secret") as string,
        data: {
          error: "INTERNAL_ERROR",
          message: "The call failed for a reason that is in the log of the process that ran it.",
        },
      });
    });

    it("serves prompts, resources, templates and completion", async () => {
      expect([
        await client.request("prompts/list"),
        await client.request("prompts/get", { name: "greet" }),
        await client.request("resources/list"),
        await client.request("resources/templates/list"),
        await client.request("resources/read", { uri: "memo://one" }),
        await client.request("completion/complete", {
          ref: { type: "ref/prompt", name: "greet" },
          argument: { name: "who", value: "w" },
        }),
      ]).toMatchObject([
        { prompts: [{ name: "greet", arguments: [{ name: "who" }] }] },
        greeting,
        { resources: [{ uri: "memo://one", name: "one" }] },
        { resourceTemplates: [{ uriTemplate: "memo://{name}" }] },
        { contents: [{ uri: "memo://one", text: "a memo" }] },
        { completion: { values: ["world"] } },
      ]);
    });

    it("says that a method is unknown", async () => {
      // Over HTTP the newer protocol says it by status 404, and the SDK's client shows that.
      const code = isModern && carrier === "http" ? "CLIENT_HTTP_NOT_IMPLEMENTED" : -32_601;
      await expect(client.request("memory/forget")).rejects.toMatchObject({ code });
    });

    it("carries 3 MB each way", async () => {
      const text = "ж".repeat(1_500_000);
      const { content } = await client.call("echo", { text });
      expect(content).toEqual([{ type: "text", text }]);
    });

    it("tells once of each list that changed", async () => {
      changed.length = 0;
      if (carrier === "stdio") await client.call("change");
      else {
        await waitFor(() => source.listenerCount > 0);
        for (const kinds of [["tool"], ["tool", "prompt"], ["resource", "template"]] as const)
          source.emit(kinds);
      }
      await waitFor(() => changed.length >= 3);
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(changed.toSorted()).toEqual(["prompts", "resources", "tools"]);
    });

    it("aborts a call that the client cancels", async () => {
      let isAborted = false;
      source.run = async ({ context }) => {
        await new Promise<void>((resolve) => {
          context.signal.addEventListener("abort", () => resolve());
        });
        isAborted = true;
        return textResult("too late");
      };
      const controller = new AbortController();
      const cancelled = client.call("slow", {}, { signal: controller.signal });
      setTimeout(() => controller.abort(), 100);
      await expect(cancelled).rejects.toThrow(/abort/i);
      const isSeen = await waitFor(async () => {
        if (carrier === "http") return isAborted;
        const { content } = (await client.call("state")) as { content: { text: string }[] };
        return content[0]?.text.includes('"aborted":1') ?? false;
      });
      expect(isSeen).toBe(true);
    });
  });
});
