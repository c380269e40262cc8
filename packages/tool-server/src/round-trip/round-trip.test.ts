import type { Answer, Caller, JsonObject, Question, ToolCall } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { AskingSource, createQuestion } from "../../fixtures/asking.js";
import { createCall, createPost, envelope, readMessages } from "../../fixtures/messages.js";
import { SampleSource } from "../../fixtures/sample-source.js";
import { createMcpEndpoint, type EndpointOptions, type McpEndpoint } from "../index.js";
import { createMemoryNonceStore } from "./nonce-store.js";

const owner: Caller = { kind: "remote", id: "ann", scopes: ["consent"] };
const identity = { name: "asking", version: "1" };
const capable = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
const yes = { action: "accept", content: { choice: "once" } } as const satisfies Answer;
const cancel = { action: "cancel" } as const satisfies Answer;

/** A server whose tools ask, and one that sends it raw requests of 2026-07-28. */
class Session {
  readonly source = new AskingSource();
  readonly endpoint: McpEndpoint;

  constructor(options: EndpointOptions = {}) {
    this.endpoint = createMcpEndpoint(identity, this.source, { caller: owner, ...options });
  }

  /** The result, or the error's data. */
  async send(name: string, args: JsonObject = {}, rest: JsonObject = {}): Promise<JsonObject> {
    const call = createCall(name, args, { meta: capable });
    const params = { ...(call["params"] as JsonObject), ...rest };
    const [message] = await readMessages(
      await this.endpoint.fetch(createPost({ ...call, params })),
    );
    const error = message?.["error"] as { code: number; data: JsonObject } | undefined;
    return error === undefined
      ? (message?.["result"] as JsonObject)
      : { code: error.code, ...error.data };
  }

  /** The state of a first round. */
  async ask(name: string, args: JsonObject = {}): Promise<string> {
    const { requestState } = await this.send(name, args);
    return requestState as string;
  }
}

function read(result: JsonObject): unknown {
  const [block] = result["content"] as { text: string }[];
  return JSON.parse(block?.text ?? "");
}

const refused = (reason: string): object => ({
  code: -32_602,
  error: "REQUEST_STATE_REFUSED",
  reason,
});

describe("a question in 2026-07-28", () => {
  it("is an input-required result with a form and sealed state", async () => {
    const session = new Session();
    expect(await session.send("one")).toEqual({
      resultType: "input_required",
      inputRequests: {
        q1: {
          method: "elicitation/create",
          params: {
            mode: "form",
            message: "Postern asks for the owner.\nMay the tool do it?",
            requestedSchema: createQuestion().schema,
          },
        },
      },
      requestState: expect.stringMatching(/^[\w-]{200,}$/) as string,
      _meta: { "io.modelcontextprotocol/serverInfo": identity },
    });
    expect(session.source.finished).toEqual([]);
  });

  it("is answered by the retry, once", async () => {
    const session = new Session();
    const requestState = await session.ask("one");
    const retry = { requestState, inputResponses: { q1: yes } };
    expect(read(await session.send("one", {}, retry))).toEqual([yes]);
    expect(await session.send("one", {}, retry)).toMatchObject(refused("used"));
    expect(session.source.finished).toHaveLength(1);
  });

  it("is answered once, however many retries come at once", async () => {
    const session = new Session();
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: yes } };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => session.send("one", {}, retry)),
    );
    expect(answers.filter(({ error }) => error === "REQUEST_STATE_REFUSED")).toHaveLength(19);
    expect(session.source.finished).toEqual([[yes]]);
  });

  it("carries the answers of earlier rounds", async () => {
    const session = new Session();
    const first = await session.send("sequence");
    const retry = { requestState: first["requestState"], inputResponses: { q1: yes } };
    const second = await session.send("sequence", {}, retry);
    expect(second["inputRequests"]).toMatchObject({
      q1: { params: { message: "Postern asks for the owner.\nSecond?" } },
    });
    const no = { action: "decline" };
    const last = { requestState: second["requestState"], inputResponses: { q1: no } };
    expect(read(await session.send("sequence", {}, last as JsonObject))).toEqual([yes, no, yes]);
    expect(await session.send("sequence", {}, retry as JsonObject)).toMatchObject(refused("used"));
  });

  it.each<[string, JsonObject]>([
    ["no responses", {}],
    ["responses to something else", { inputResponses: { other: { action: "accept" } } }],
    ["responses that are no object", { inputResponses: ["accept"] }],
  ])("is asked again when the retry has %s", async (_name, rest) => {
    const session = new Session();
    const again = await session.send(
      "one",
      {},
      { ...rest, requestState: await session.ask("one") },
    );
    expect(again["resultType"]).toBe("input_required");
    const { requestState } = again as { requestState: string };
    const retry = { requestState, inputResponses: { q1: yes } };
    expect(read(await session.send("one", {}, retry))).toEqual([yes]);
  });

  it.each<[string, JsonObject]>([
    ["a choice that is none", { action: "accept", content: { choice: "always" } }],
    ["a field too long", { action: "accept", content: { choice: "once", reason: "x".repeat(21) } }],
    ["no content", { action: "accept" }],
    ["an empty content", { action: "accept", content: {} }],
    ["content of another kind", { action: "accept", content: ["once"] }],
    ["content from a prototype", { action: "accept", content: { __proto__: { choice: "once" } } }],
    ["no action", { content: { choice: "once" } }],
    ["an action that is none", { action: "allow", content: { choice: "once" } }],
    ["a huge content", { action: "accept", content: { choice: "once", x: "x".repeat(70_000) } }],
  ])("is answered with no by %s", async (_name, response) => {
    const session = new Session();
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: response } };
    expect(read(await session.send("one", {}, retry))).toEqual([cancel]);
  });

  it("gives the call only fields that the form has", async () => {
    const session = new Session();
    const response = { action: "accept", content: { choice: "once", granted: "/" }, extra: 1 };
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: response } };
    expect(read(await session.send("one", {}, retry))).toEqual([yes]);
  });

  it("keeps a response to itself when no state came with it", async () => {
    const session = new Session();
    const answer = await session.send("one", {}, { inputResponses: { q1: yes, sure: yes } });
    expect(answer["resultType"]).toBe("input_required");
  });
});

describe("the state of a retry", () => {
  it.each([
    ["made up", () => "c2VhbGVk"],
    ["no text", () => 5],
    ["null", () => null],
    ["cut", (state: string) => state.slice(0, -4)],
    [
      "changed in its first character",
      (state: string) => `${state[0] === "A" ? "B" : "A"}${state.slice(1)}`,
    ],
  ])("that is %s is refused, and asks nobody", async (_name, change) => {
    const session = new Session();
    const requestState = change(await session.ask("one"));
    const retry = { requestState, inputResponses: { q1: yes } };
    expect(await session.send("one", {}, retry)).toMatchObject(refused("not_ours"));
    expect(session.source.calls).toHaveLength(1);
  });

  it("counts for its tool and its arguments only, and is not used up by others", async () => {
    const session = new Session();
    const requestState = await session.ask("one", { text: "a", more: [1, { b: 2, a: 1 }] });
    const retry = { requestState, inputResponses: { q1: yes } };
    for (const [name, args] of [
      ["one", {}],
      ["one", { text: "b", more: [1, { b: 2, a: 1 }] }],
      ["one", { text: "a", more: [1, { b: 2, a: "1" }] }],
      ["caller", { text: "a", more: [1, { b: 2, a: 1 }] }],
    ] as const)
      expect(await session.send(name, args, retry)).toMatchObject(refused("other_request"));
    const same = { more: [1, { a: 1, b: 2 }], text: "a" };
    expect(read(await session.send("one", same, retry))).toEqual([yes]);
  });

  it("counts for its caller only", async () => {
    let caller = owner;
    const authenticate = (): Promise<Caller> => Promise.resolve(caller);
    const session = new Session({ authenticate });
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: yes } };
    for (const other of [
      { ...owner, id: "bob" },
      { ...owner, kind: "owner" },
    ] as const) {
      caller = other;
      expect(await session.send("one", {}, retry)).toMatchObject(refused("other_request"));
    }
    caller = owner;
    expect(read(await session.send("one", {}, retry))).toEqual([yes]);
  });

  it("does not help a caller that may no longer answer", async () => {
    let caller = owner;
    const session = new Session({ authenticate: () => Promise.resolve(caller) });
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: yes } };
    caller = { ...owner, scopes: [] };
    expect(read(await session.send("one", {}, retry))).toEqual([cancel]);
  });

  it("expires", async () => {
    const session = new Session({ questions: { stateLifetimeMs: 1 } });
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: yes } };
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await session.send("one", {}, retry)).toMatchObject(refused("expired"));
  });

  it("counts for its question as it was shown only", async () => {
    const session = new Session();
    let message = "Read a?";
    session.source.run = askWith(session.source, () => ({ message }));
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: yes } };
    message = "Read b?";
    expect(await session.send("one", {}, retry)).toMatchObject({
      resultType: "input_required",
      inputRequests: { q1: { params: { message: "Postern asks for the owner.\nRead b?" } } },
    });
  });

  it("is taken by another process with the same key and nonces, and by no other server", async () => {
    const questions = { stateKey: new Uint8Array(32).fill(7), nonces: createMemoryNonceStore() };
    const [first, second, foreign] = [
      new Session({ questions }),
      new Session({ questions }),
      createMcpEndpoint({ name: "other", version: "1" }, new AskingSource(), {
        caller: owner,
        questions,
      }),
    ];
    const requestState = await first.ask("one");
    const retry = { requestState, inputResponses: { q1: yes } };
    const call = createCall("one", {}, { meta: capable });
    const params = { ...(call["params"] as JsonObject), ...retry } as JsonObject;
    const [message] = await readMessages(await foreign.fetch(createPost({ ...call, params })));
    expect(message).toMatchObject({ error: { data: { reason: "other_request" } } });
    expect(read(await second.send("one", {}, retry))).toEqual([yes]);
    expect(await first.send("one", {}, retry)).toMatchObject(refused("used"));
    expect(await new Session().send("one", {}, retry)).toMatchObject(refused("not_ours"));
  });

  it("is refused when it cannot be told whether it was used", async () => {
    const failing = { use: () => Promise.reject(new TypeError("disk")) };
    const session = new Session({ questions: { nonces: failing } });
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: yes } };
    expect(await session.send("one", {}, retry)).toMatchObject({ error: "INTERNAL_ERROR" });
    expect(session.source.calls).toHaveLength(1);
  });
});

/** A tool that asks one question, which may differ from round to round. */
function askWith(source: AskingSource, rest: () => Partial<Question>): AskingSource["run"] {
  return async ({ context }: ToolCall) => {
    const answers = [await context.ask(createQuestion(rest()))];
    source.finished.push(answers);
    return { content: [{ type: "text", text: JSON.stringify(answers) }] };
  };
}

describe("the owner of a caller that may not answer", () => {
  const caller: Caller = { kind: "remote", id: "bob", scopes: [] };

  it("is asked by the host's own way, with all that the question is about", async () => {
    const seen: unknown[] = [];
    const session = new Session({
      caller,
      questions: {
        askOwner: (question, { method, name, arguments: args, caller: { id } }) => {
          seen.push({ question, method, name, args, id });
          return Promise.resolve(yes);
        },
      },
    });
    session.source.run = askWith(session.source, () => ({ details: { paths: ["/a"] } }));
    expect(read(await session.send("one", { text: "a" }))).toEqual([yes]);
    const question = { ...createQuestion(), details: { paths: ["/a"] } };
    expect(seen).toEqual([
      { question, method: "tools/call", name: "one", args: { text: "a" }, id: "bob" },
    ]);
  });

  it.each<[string, () => Promise<Answer>]>([
    ["fails", () => Promise.reject(new TypeError("no disk"))],
    ["gives no fitting answer", () => Promise.resolve({ action: "accept", content: {} })],
    ["gives none", () => Promise.resolve(undefined as never)],
  ])("has said no when that way %s", async (_name, askOwner) => {
    const session = new Session({ caller, questions: { askOwner } });
    expect(read(await session.send("one"))).toEqual([cancel]);
  });

  it("is asked once, also when the caller's person is asked in rounds", async () => {
    let count = 0;
    const askOwner = (): Promise<Answer> => {
      count += 1;
      return Promise.resolve(yes);
    };
    const session = new Session({ caller, questions: { askOwner } });
    session.source.run = async ({ context: { ask } }) => {
      const answers = [
        await ask(createQuestion({ id: "a" })),
        await ask(createQuestion({ id: "b", to: "caller" })),
      ];
      return { content: [{ type: "text", text: JSON.stringify(answers) }] };
    };
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: yes } };
    expect(read(await session.send("one", {}, retry))).toEqual([yes, yes]);
    expect(count).toBe(1);
  });

  it("is not answered for by the caller's answer to a question of its own", async () => {
    const session = new Session({ caller });
    let to: Question["to"] = "caller";
    session.source.run = askWith(session.source, () => ({ to }));
    const retry = { requestState: await session.ask("one"), inputResponses: { q1: yes } };
    to = "owner";
    expect(read(await session.send("one", {}, retry))).toEqual([cancel]);
  });
});

describe("two questions of one call", () => {
  it("with one id are one when they are the same, and refused when not", async () => {
    const session = new Session();
    session.source.run = async ({ context: { ask } }) => {
      await Promise.all([ask(createQuestion()), ask(createQuestion())]);
      return { content: [] };
    };
    expect(Object.keys((await session.send("one"))["inputRequests"] as object)).toEqual(["q1"]);
    session.source.run = async ({ context: { ask } }) => {
      await Promise.all([ask(createQuestion()), ask(createQuestion({ message: "Else?" }))]);
      return { content: [] };
    };
    expect(read(await session.send("one"))).toMatchObject({ error: "QUESTION_REFUSED" });
  });
});

/** Prompts and resources that ask before they are given. */
class SampleSession {
  readonly #endpoint: McpEndpoint;

  constructor() {
    const source = new SampleSource();
    const results = {
      "resources/read": { contents: [] },
      "prompts/get": { messages: [] },
      "completion/complete": { completion: { values: [] } },
    } as Readonly<Record<string, JsonObject>>;
    source.answer = async (method, _params, { ask }) => ({
      ...results[method],
      answers: [{ ...(await ask(createQuestion())) }],
    });
    this.#endpoint = createMcpEndpoint(identity, source, { caller: owner });
  }

  async send(method: string, params: JsonObject): Promise<JsonObject> {
    const whole = { ...params, _meta: { ...envelope, ...capable } };
    const body = { jsonrpc: "2.0", id: 1, method, params: whole };
    const [message] = await readMessages(await this.#endpoint.fetch(createPost(body)));
    const error = message?.["error"] as { data: JsonObject } | undefined;
    return error?.data ?? (message?.["result"] as JsonObject);
  }
}

describe("a question of another request", () => {
  it.each([
    ["resources/read", "uri", "memo://one"],
    ["prompts/get", "name", "greet"],
  ])("of %s goes the same way", async (method, member, name) => {
    const session = new SampleSession();
    const first = await session.send(method, { [member]: name });
    expect(first).toMatchObject({ resultType: "input_required", inputRequests: { q1: {} } });
    const retry = { requestState: first["requestState"], inputResponses: { q1: yes } };
    const other = await session.send(method, { [member]: "other", ...retry });
    expect(other).toMatchObject({ reason: "other_request" });
    expect(await session.send(method, { [member]: name, ...retry })).toMatchObject({
      answers: [yes],
    });
  });

  it("of completion/complete is a no, for the protocol has no round for it", async () => {
    const answer = await new SampleSession().send("completion/complete", {
      ref: { type: "ref/prompt", name: "greet" },
      argument: { name: "who", value: "w" },
    });
    expect(answer).toMatchObject({ answers: [cancel] });
  });
});
