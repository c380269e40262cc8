import { toolSet } from "@postern/tool";
import { describe, expect, it } from "vitest";
import {
  createPost,
  envelope,
  readAnswer as read,
  readMessages,
  readResult,
} from "../../fixtures/messages.js";
import { createToolListing, SampleSource } from "../../fixtures/sample-source.js";
import { createMcpEndpoint } from "../index.js";

const identity = { name: "sample", version: "1" };

function open(source: SampleSource = new SampleSource()) {
  return createMcpEndpoint(identity, source);
}

describe("what is advertised", () => {
  const discover = {
    jsonrpc: "2.0",
    id: 1,
    method: "server/discover",
    params: { _meta: envelope },
  } as const;

  it("is tools alone for a set of tools", async () => {
    const endpoint = createMcpEndpoint(identity, toolSet([]));
    const answer = await endpoint.fetch(createPost(discover));
    expect(await readResult(answer, "capabilities")).toEqual({ tools: { listChanged: true } });
  });

  it("are the revisions it speaks without a handshake", async () => {
    const answer = await open().fetch(createPost(discover));
    expect(await readResult(answer, "supportedVersions")).toEqual(["2026-07-28"]);
  });

  it("leaves out what a source has none of", async () => {
    const endpoint = open(new SampleSource([createToolListing("a")]));
    const answer = await endpoint.fetch(createPost(discover));
    expect(await readResult(answer, "capabilities")).toEqual({ tools: { listChanged: true } });
  });

  it.each(["prompts/list", "resources/read", "completion/complete", "toString", "memory/x"])(
    "and nothing else is answered: %s",
    async (method) => {
      const endpoint = open(new SampleSource([createToolListing("a")]));
      const body = { jsonrpc: "2.0", id: 3, method, params: { uri: "x", _meta: envelope } };
      const response = await endpoint.fetch(createPost(body));
      const [message] = await readMessages(response);
      expect([response.status, message]).toMatchObject([404, { id: 3, error: { code: -32_601 } }]);
    },
  );

  it("has lists of one page", async () => {
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: { cursor: "2", _meta: envelope },
    };
    expect(await read(await open().fetch(createPost(body)))).toEqual([200, "INVALID_ARGUMENTS"]);
  });

  it("has the same bytes each time", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: envelope } };
    const endpoint = open();
    const texts = [];
    for (let count = 0; count < 3; count += 1)
      texts.push(await (await endpoint.fetch(createPost(body))).text());
    expect(new Set(texts).size).toBe(1);
  });
});

describe("event streams", () => {
  it("are limited in number, and a place is free again when a client leaves", async () => {
    const endpoint = open();
    const listen = (signal?: AbortSignal): Promise<Response> =>
      endpoint.fetch(
        new Request("http://127.0.0.1/mcp", {
          headers: { accept: "text/event-stream" },
          ...(signal === undefined ? {} : { signal }),
        }),
      );
    const leaving = new AbortController();
    await listen(leaving.signal);
    const held = await Promise.all(Array.from({ length: 1_023 }, () => listen()));
    const refused = await read(await listen());
    leaving.abort();
    const admitted = (await listen()).status;
    await endpoint.close();
    expect([held.every(({ status }) => status === 200), refused, admitted]).toEqual([
      true,
      [503, "TOO_MANY_STREAMS"],
      200,
    ]);
  });
});
