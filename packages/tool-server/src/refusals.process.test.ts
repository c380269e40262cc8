import { dataResult, errorResult, intercept, type JsonObject, type ToolSet } from "@postern/tool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientKinds, connectClient, type TestClient } from "../fixtures/clients.js";
import { Resources } from "../fixtures/resources.js";
import { createToolListing, SampleSource } from "../fixtures/sample-source.js";
import { createMcpEndpoint, serverErrors } from "./index.js";
import { serveHttp } from "./node/index.js";

const stack = new Resources();
afterAll(() => stack[Symbol.asyncDispose]());

const rows: JsonObject = {
  type: "object",
  properties: { rows: { type: "array" } },
  required: ["rows"],
  additionalProperties: false,
};

/** Tools that say what they answer, and an interceptor that refuses, as a host's does. */
function createTools(): ToolSet {
  const source = new SampleSource([
    createToolListing("find_rows", { outputSchema: rows }),
    createToolListing("find_numbers", { outputSchema: { type: "array" } }),
    createToolListing("find_any", { outputSchema: { type: "object" } }),
  ]);
  source.run = async ({ name, arguments: args }) => {
    if (args["text"] === "broken") return {} as never;
    return dataResult(name === "find_numbers" ? [1] : { rows: [1] });
  };
  const refuse = errorResult(serverErrors.INVALID_OPTIONS({ problem: "refused by the host" }));
  return intercept(source, (next) => (call) => {
    return call.arguments["text"] === "refused" ? Promise.resolve(refuse) : next(call);
  });
}

describe.each(clientKinds)("%s, which checks results against output schemas", (kind) => {
  let client: TestClient;

  beforeAll(async () => {
    const endpoint = createMcpEndpoint({ name: "sample", version: "1" }, createTools());
    const server = await serveHttp(endpoint, { drainMs: 100 });
    client = await connectClient(kind, { url: server.url });
    for (const resource of [endpoint, server, client]) stack.use(resource);
    await client.listTools();
  });

  /** The code of a refusal, as its text has it, and whether structured content came too. */
  async function refusalOf(name: string, text: unknown): Promise<readonly unknown[]> {
    const result = await client.callTool(name, { text });
    const [block] = result["content"] as readonly { readonly text: string }[];
    const { error } = JSON.parse(block?.text ?? "") as JsonObject;
    return [result["isError"], error, "structuredContent" in result];
  }

  it("gets answers of tools that say what they answer", async () => {
    expect(await client.callTool("find_rows", { text: "x" })).toMatchObject({
      structuredContent: { rows: [1] },
    });
  });

  it.each([
    ["find_rows", 5, "INVALID_ARGUMENTS"],
    ["find_numbers", 5, "INVALID_ARGUMENTS"],
    ["find_rows", "refused", "INVALID_OPTIONS"],
    ["find_numbers", "refused", "INVALID_OPTIONS"],
    ["find_rows", "broken", "INVALID_RESULT"],
  ])("reads in the text why %s with %j was refused", async (name, text, code) => {
    expect(await refusalOf(name, text)).toEqual([true, code, false]);
  });

  it("gets a refusal as data too where the tool's output schema allows it", async () => {
    expect(await refusalOf("find_any", "refused")).toEqual([true, "INVALID_OPTIONS", true]);
  });
});
