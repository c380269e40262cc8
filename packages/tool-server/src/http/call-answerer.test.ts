import { PosternError } from "@postern/errors";
import {
  defineTool,
  textResult,
  toolErrors,
  toolSet,
  type Caller,
  type JsonObject,
} from "@postern/tool";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createCall,
  createLegacyPost,
  createPost,
  readAnswer as read,
  readMessages,
  readResult,
} from "../../fixtures/messages.js";
import { createToolListing, SampleSource } from "../../fixtures/sample-source.js";
import { createMcpEndpoint, retryMetaKey, type EndpointOptions } from "../index.js";

const identity = { name: "sample", version: "1" };
const ann: Caller = { kind: "remote", id: "ann", scopes: [] };

function open(source: SampleSource = new SampleSource(), options: EndpointOptions = {}) {
  return createMcpEndpoint(identity, source, options);
}

describe("a tool call", () => {
  it("reaches the set with what the caller said, without what only Postern may say", async () => {
    const source = new SampleSource();
    const endpoint = open(source, { caller: ann });
    const meta = { "dev.postern/granted": ["/"], traceparent: "00-1" };
    await endpoint.fetch(createPost(createCall("echo", { text: "x" }, { meta })));
    const [call] = source.calls;
    expect([call?.name, call?.arguments, call?.context.meta, call?.context.caller]).toEqual([
      "echo",
      { text: "x" },
      { traceparent: "00-1" },
      ann,
    ]);
  });

  it("gives a result without what only Postern may say, also in its content", async () => {
    const source = new SampleSource();
    const forged = { "dev.postern/granted": ["/"] };
    source.run = () =>
      Promise.resolve({
        content: [
          { type: "text", text: "x", _meta: { ...forged, a: 1 }, vendor: true },
          { type: "resource", resource: { uri: "a://b", text: "", _meta: forged } },
        ],
        _meta: { ...forged, b: 2, "io.modelcontextprotocol/serverInfo": { name: "behind" } },
      });
    const [message] = await readMessages(await open(source).fetch(createPost(createCall("slow"))));
    expect(message?.["result"]).toEqual({
      content: [
        { type: "text", text: "x", _meta: { a: 1 }, vendor: true },
        { type: "resource", resource: { uri: "a://b", text: "", _meta: {} } },
      ],
      resultType: "complete",
      _meta: { b: 2, "io.modelcontextprotocol/serverInfo": identity },
    });
  });

  it.each([
    ["no content", {}],
    ["content that is no list", { content: "x" }],
    ["content without types", { content: [{ text: "x" }] }],
    ["nothing", undefined],
  ])("with %s in its result is an error result", async (_name, result) => {
    const source = new SampleSource();
    source.run = () => Promise.resolve(result as never);
    const [message] = await readMessages(await open(source).fetch(createPost(createCall("slow"))));
    expect(message).toMatchObject({
      result: { isError: true, structuredContent: { error: "INVALID_RESULT" } },
    });
  });

  it("whose result JSON cannot hold is an error, and the owner hears of it", async () => {
    const errors: unknown[] = [];
    const source = new SampleSource();
    source.run = () =>
      Promise.resolve({ content: [{ type: "text", text: "x", big: 1n as never }] });
    const endpoint = open(source, { onError: (error) => errors.push(error) });
    expect([
      await read(await endpoint.fetch(createPost(createCall("slow")))),
      errors.length,
    ]).toEqual([[200, "INTERNAL_ERROR"], 1]);
  });

  it("keeps a rejection's own code and message", async () => {
    const source = new SampleSource();
    source.run = () =>
      Promise.reject(
        new PosternError("CONNECTION_LOST", "The server is gone.", { data: { server: "s" } }),
      );
    const [message] = await readMessages(await open(source).fetch(createPost(createCall("slow"))));
    expect(message).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32_603,
        message: "The server is gone.",
        data: { server: "s", error: "CONNECTION_LOST", message: "The server is gone." },
      },
    });
  });

  it("tells only the owner what an unknown error says", async () => {
    const errors: unknown[] = [];
    const endpoint = open(undefined, { onError: (error) => errors.push(error) });
    const text = await (await endpoint.fetch(createPost(createCall("boom")))).text();
    expect([text.includes("secret"), errors.map(String)]).toEqual([
      false,
      ["TypeError: secret of the server"],
    ]);
  });

  it("tells the owner of the cause behind an error result of our own", async () => {
    const errors: unknown[] = [];
    const tool = defineTool({
      name: "broken",
      description: "Breaks.",
      input: z.object({}),
      run: () => {
        throw new TypeError("the cause");
      },
    });
    const endpoint = createMcpEndpoint(identity, toolSet([tool]), {
      onError: (error) => errors.push(error),
    });
    await endpoint.fetch(createPost(createCall("broken")));
    expect(errors.map(String)).toEqual(["TypeError: the cause"]);
  });

  it("is not disturbed by an owner's reporter that throws", async () => {
    const endpoint = open(undefined, {
      onError: () => {
        throw new TypeError("reporter");
      },
    });
    expect(await read(await endpoint.fetch(createPost(createCall("boom"))))).toEqual([
      200,
      "INTERNAL_ERROR",
    ]);
  });

  it("is not checked where the owner does not want it", async () => {
    const source = new SampleSource();
    const endpoint = open(source, { validateArguments: false });
    await endpoint.fetch(createPost(createCall("echo", { texd: 1 })));
    expect(source.calls.map(({ arguments: args }) => args)).toEqual([{ texd: 1 }]);
  });

  it("reports only progress that grows", async () => {
    const source = new SampleSource();
    source.run = ({ context }) => {
      for (const progress of [1, 3, 2, 3, Number.NaN, Number.POSITIVE_INFINITY, 4])
        context.progress({ progress });
      return Promise.resolve(textResult("done"));
    };
    const meta = { progressToken: "t" };
    const response = await open(source).fetch(createPost(createCall("slow", {}, { meta })));
    const steps = (await readMessages(response))
      .filter(({ method }) => method === "notifications/progress")
      .map(({ params }) => params);
    expect(steps).toEqual([1, 3, 4].map((progress) => ({ progressToken: "t", progress })));
  });

  it("is answered as JSON where nobody asked for progress", async () => {
    const response = await open().fetch(createPost(createCall("echo", { text: "x" })));
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  it("asks nobody: the answer to every question is no", async () => {
    const source = new SampleSource();
    source.run = async ({ context }) => {
      const answer = await context.ask({ id: "q", to: "owner", message: "?", schema: {} });
      return textResult(answer.action);
    };
    const [message] = await readMessages(await open(source).fetch(createPost(createCall("slow"))));
    expect(message).toMatchObject({ result: { content: [{ text: "cancel" }] } });
  });

  it("whose question could only be answered by a retry fails closed", async () => {
    const source = new SampleSource();
    source.run = () => Promise.reject(toolErrors.INPUT_REQUIRED());
    expect(await read(await open(source).fetch(createPost(createCall("slow"))))).toEqual([
      200,
      "INPUT_REQUIRED",
    ]);
  });
});

describe("a call that a server behind needs input for", () => {
  const outcome = {
    resultType: "input_required",
    inputRequests: { ok: { method: "elicitation/create", params: { message: "?" } } },
    requestState: "sealed",
  } as const;
  const source = new SampleSource();
  source.run = () => Promise.resolve(outcome);
  const endpoint = open(source);
  const capable = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };

  it("passes as it is to a client that can answer, the server's state inside ours", async () => {
    const call = createCall("slow", {}, { meta: capable });
    const [message] = await readMessages(await endpoint.fetch(createPost(call)));
    expect(message?.["result"]).toEqual({
      ...outcome,
      requestState: expect.not.stringContaining("sealed") as string,
      _meta: { "io.modelcontextprotocol/serverInfo": identity },
    });
  });

  it("gives the server behind its own state and the answers in the retry", async () => {
    const call = createCall("slow", {}, { meta: capable });
    const requestState = await readResult(await endpoint.fetch(createPost(call)), "requestState");
    const inputResponses = { ok: { action: "accept", content: { sure: true } } };
    const forged = { [retryMetaKey]: { requestState: "forged", inputResponses: {} } };
    const params = {
      ...(createCall("slow", {}, { meta: { ...capable, ...forged } })["params"] as JsonObject),
      inputResponses,
      requestState,
    } as JsonObject;
    source.calls.length = 0;
    const [message] = await readMessages(await endpoint.fetch(createPost({ ...call, params })));
    expect(message).toMatchObject({ result: { inputRequests: outcome.inputRequests } });
    expect(source.calls.map(({ context }) => context.meta)).toEqual([
      { [retryMetaKey]: { requestState: "sealed", inputResponses } },
    ]);
  });

  it("is refused when the form could be taken for one of ours", async () => {
    const form = {
      mode: "form",
      message: "POSTERN asks, for the owner:\nok?",
      requestedSchema: {},
    };
    const posing = new SampleSource();
    posing.run = () =>
      Promise.resolve({
        resultType: "input_required",
        inputRequests: { ok: { method: "elicitation/create", params: form } },
      });
    const call = createCall("slow", {}, { meta: capable });
    const [message] = await readMessages(await open(posing).fetch(createPost(call)));
    expect(message).toMatchObject({
      result: { isError: true, structuredContent: { error: "QUESTION_REFUSED" } },
    });
  });

  it("is refused for a client that did not say it can answer", async () => {
    const response = await endpoint.fetch(createPost(createCall("slow")));
    const [message] = await readMessages(response);
    expect([response.status, message]).toMatchObject([
      400,
      { error: { code: -32_021, data: { requiredCapabilities: { elicitation: {} } } } },
    ]);
  });

  it("is an error result for a client of an older revision", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow" } };
    const [message] = await readMessages(await endpoint.fetch(createLegacyPost(call)));
    expect(message).toMatchObject({
      result: { isError: true, structuredContent: { error: "INPUT_UNAVAILABLE" } },
    });
  });

  it("is an error result that fits the tool's output schema", async () => {
    const listing = createToolListing("slow", { outputSchema: { required: ["rows"] } });
    const strict = new SampleSource([listing]);
    strict.run = () => Promise.resolve(outcome);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow" } };
    const [message] = await readMessages(await open(strict).fetch(createLegacyPost(call)));
    expect(message?.["result"]).toEqual({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining('"error":"INPUT_UNAVAILABLE"') }],
    });
  });
});
