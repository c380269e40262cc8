import { toolSet, type Caller, type JsonObject } from "@postern/tool";
import { describe, expect, it } from "vitest";
import {
  createCall,
  createLegacyPost,
  createPost,
  envelope,
  readAnswer as read,
  readMessages,
  readResult,
} from "../../fixtures/messages.js";
import { createToolListing, SampleSource } from "../../fixtures/sample-source.js";
import { bearerAuthentication, createMcpEndpoint, type EndpointOptions } from "../index.js";

const identity = { name: "sample", version: "1" };
const ann: Caller = { kind: "remote", id: "ann", scopes: [] };
const token = "ann-has-a-long-token";

function open(source: SampleSource = new SampleSource(), options: EndpointOptions = {}) {
  return createMcpEndpoint(identity, source, options);
}

describe("the order in which a request is looked at", () => {
  const guarded = open(undefined, {
    authenticate: bearerAuthentication([{ token, caller: ann }]),
    maxBodyBytes: 1_000,
  });
  const wrong = {
    host: "evil.example",
    origin: "https://evil.example",
    authorization: "Bearer nobody",
    "content-type": "text/plain",
  };
  const send = (
    headers: Readonly<Record<string, string>>,
    path = "/mcp",
    body = "x".repeat(2_000),
  ) => guarded.fetch(new Request(`http://127.0.0.1${path}`, { method: "POST", headers, body }));

  it.each([
    ["the host", wrong, "/x", [403, "FORBIDDEN_HOST"]],
    ["the origin", { ...wrong, host: "localhost" }, "/x", [403, "FORBIDDEN_ORIGIN"]],
    ["the path", { authorization: "Bearer nobody" }, "/x", [404, "UNKNOWN_PATH"]],
    ["the credential", { authorization: "Bearer nobody" }, "/mcp", [401, "UNAUTHENTICATED"]],
    ["the type", { authorization: `Bearer ${token}` }, "/mcp", [415, "UNSUPPORTED_MEDIA_TYPE"]],
    [
      "the size",
      { authorization: `Bearer ${token}`, "content-type": "application/json" },
      "/mcp",
      [413, "BODY_TOO_LARGE"],
    ],
  ])("comes to %s", async (...row) => {
    const [, headers, path, answer] = row;
    expect(await read(await send(headers, path))).toEqual(answer);
  });

  it("comes to the text last", async () => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    expect(await read(await send(headers, "/mcp", "{"))).toEqual([400, "BODY_UNREADABLE"]);
  });

  it.each(["GET", "PUT", "DELETE", "OPTIONS", "PATCH"])("answers no %s", async (method) => {
    const response = await guarded.fetch(
      new Request("http://127.0.0.1/mcp", {
        method,
        headers: { authorization: `Bearer ${token}` },
      }),
    );
    expect([response.headers.get("allow"), ...(await read(response))]).toEqual([
      "POST",
      405,
      "METHOD_NOT_ALLOWED",
    ]);
  });

  it("answers every refusal with a JSON-RPC error", async () => {
    const response = await send({ authorization: "Bearer nobody" });
    expect([response.headers.get("www-authenticate"), await response.json()]).toEqual([
      'Bearer error="invalid_token"',
      {
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32_600,
          message: "A valid credential is needed: send `Authorization: Bearer <token>`.",
          data: {
            error: "UNAUTHENTICATED",
            message: "A valid credential is needed: send `Authorization: Bearer <token>`.",
          },
        },
      },
    ]);
  });

  it("asks for a bearer where none was sent", async () => {
    expect((await send({})).headers.get("www-authenticate")).toBe("Bearer");
  });
});

describe("the size of a body", () => {
  const small = open(undefined, { maxBodyBytes: 1_000 });
  const post = (body: string | Uint8Array | ReadableStream, headers = {}) =>
    small.fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        duplex: "half",
      }),
    );

  it("is limited while it streams, without a length, and no more is read than that", async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(100));
      },
    });
    expect([await read(await post(endless)), pulled < 50]).toEqual([[413, "BODY_TOO_LARGE"], true]);
  });

  it("may be the limit exactly", async () => {
    const [status] = await read(await post(" ".repeat(998) + "{}"));
    expect(status).toBe(400);
  });

  it("is refused when it is not UTF-8", async () => {
    expect(await read(await post(new Uint8Array([0x22, 0xff, 0x22])))).toEqual([
      400,
      "BODY_UNREADABLE",
    ]);
  });
});

describe("what is no proper message", () => {
  const endpoint = open();

  it.each([
    ["null"],
    ["1"],
    ['"x"'],
    ["[]"],
    ["{}"],
    ["[1]"],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ['{"jsonrpc":"2.0","id":1,"method":5}'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}'],
    ['{"__proto__":{"method":"tools/call"},"jsonrpc":"2.0","id":1}'],
  ])("%s is refused", async (body) => {
    expect((await endpoint.fetch(createLegacyPost(JSON.parse(body)))).status).toBe(400);
  });

  it.each([
    [{ name: 5 }],
    [{}],
    [{ name: "echo", arguments: "x" }],
    [{ name: "echo", arguments: [1] }],
    [{ name: "echo", arguments: null }],
  ])("a call with %j is refused", async (params) => {
    const body = { jsonrpc: "2.0", id: 7, method: "tools/call", params } as unknown as JsonObject;
    const answers = [
      await readMessages(await endpoint.fetch(createLegacyPost(body))),
      await readMessages(
        await endpoint.fetch(createPost({ ...body, params: { ...params, _meta: envelope } })),
      ),
    ];
    expect(answers).toMatchObject([
      [{ id: 7, error: { code: -32_602 } }],
      [{ id: 7, error: { code: -32_602 } }],
    ]);
  });

  it("deep nesting is answered, whatever it is", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"text":${deep}},"_meta":${JSON.stringify(envelope)}}}`;
    const headers = { "mcp-method": "tools/call", "mcp-name": "slow" };
    const response = await endpoint.fetch(createPost(body, headers));
    expect(await readMessages(response)).toMatchObject([{ id: 1 }]);
  });

  it("a batch with one id twice is refused, for its answers could not be told apart", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect(await read(await endpoint.fetch(createLegacyPost([call, call])))).toEqual([
      400,
      "INVALID_MESSAGE",
    ]);
  });

  it("a batch of mixed methods is answered message by message", async () => {
    const batch = [
      {
        jsonrpc: "2.0",
        id: "a",
        method: "tools/call",
        params: { name: "echo", arguments: { text: "x" } },
      },
      { jsonrpc: "2.0", id: "b", method: "nothing/here" },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ];
    const messages = await readMessages(await endpoint.fetch(createLegacyPost(batch)));
    expect(Object.fromEntries(messages.map(({ id, error }) => [id, error !== undefined]))).toEqual({
      a: false,
      b: true,
    });
  });
});

describe("a set for each caller", () => {
  const sets = new Map([
    ["ann", new SampleSource([createToolListing("for_ann")])],
    ["bob", new SampleSource([createToolListing("for_bob")])],
  ]);
  const endpoint = createMcpEndpoint(identity, ({ id }) => sets.get(id) ?? toolSet([]), {
    authenticate: (request) => {
      const id = request.headers.get("authorization")?.slice(7);
      return Promise.resolve(id === undefined ? undefined : { ...ann, id });
    },
  });
  const list = async (id: string): Promise<unknown> => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: envelope } };
    const headers = { authorization: `Bearer ${id}` };
    const answer = await endpoint.fetch(createPost(body, headers));
    const tools = (await readResult(answer, "tools")) as readonly { readonly name: string }[];
    return tools.map(({ name }) => name);
  };

  it("shows each its own", async () => {
    expect([await list("ann"), await list("bob"), await list("eve")]).toEqual([
      ["for_ann"],
      ["for_bob"],
      [],
    ]);
  });

  it("hides one's tools from the other as if they did not exist", async () => {
    const headers = { authorization: "Bearer bob" };
    const [message] = await readMessages(
      await endpoint.fetch(createPost(createCall("for_ann"), headers)),
    );
    expect(message).toMatchObject({
      result: { isError: true, structuredContent: { error: "UNKNOWN_TOOL" } },
    });
  });

  it("that cannot be made is answered without saying why", async () => {
    const errors: unknown[] = [];
    const broken = createMcpEndpoint(identity, () => Promise.reject(new TypeError("secret")), {
      onError: (error) => errors.push(error),
    });
    const response = await broken.fetch(createPost(createCall("x")));
    const text = await response.clone().text();
    expect([await read(response), text.includes("secret"), errors.length]).toEqual([
      [500, "INTERNAL_ERROR"],
      false,
      1,
    ]);
  });
});

describe("pages of other origins", () => {
  const endpoint = open(undefined, { allowedOrigins: ["https://app.example"] });

  it("that the owner named may ask, and read answers", async () => {
    const origin = "https://app.example";
    const preflight = await endpoint.fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST" },
      }),
    );
    const answer = await endpoint.fetch(createPost(createCall("echo", { text: "x" }), { origin }));
    expect([
      preflight.status,
      preflight.headers.get("access-control-allow-methods"),
      answer.headers.get("access-control-allow-origin"),
    ]).toEqual([204, "POST, GET", origin]);
  });

  it("of loopback may send, but are not given what reads answers", async () => {
    const origin = "http://localhost:5173";
    const answer = await endpoint.fetch(createPost(createCall("echo", { text: "x" }), { origin }));
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });
});
