import { createCallContext, type JsonObject } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { connect, scripted } from "../fixtures/scripted-pool.js";

describe("other methods", () => {
  const capabilities = {
    tools: {},
    prompts: {},
    resources: { subscribe: true },
    logging: {},
    completions: {},
  };
  const uri = "memo://shared";
  const sources = {
    a: scripted({
      name: "a",
      capabilities,
      prompts: [{ name: "p" }],
      resources: [{ uri, name: "m" }],
    }),
    b: scripted({
      name: "b",
      capabilities,
      prompts: [{ name: "p" }],
      resources: [{ uri, name: "m" }],
    }),
  };

  it("go to the server whose prompt or resource is asked for, under its own name", async () => {
    await using pool = await connect(sources);
    const ask = (method: string, params: JsonObject): Promise<JsonObject> =>
      pool.request(method, params, createCallContext());
    expect(await ask("prompts/get", { name: "b_p", arguments: { x: "1" } })).toEqual({
      messages: [],
      got: { name: "p", arguments: { x: "1" } },
    });
    expect(
      await ask("completion/complete", { ref: { type: "ref/prompt", name: "a_p" }, argument: {} }),
    ).toEqual({
      completion: { values: ["p"] },
    });
    expect(await ask("resources/read", { uri })).toEqual({ contents: [{ uri, text: "a" }] });
    expect(await ask("resources/subscribe", { uri })).toEqual({});
    expect(await ask("logging/setLevel", { level: "error" })).toEqual({});
    expect(await ask("ping", {})).toEqual({});
  });

  it("carry no metadata but that of the call, and none in our name", async () => {
    await using pool = await connect(sources);
    const params = { name: "a_p", _meta: { "dev.postern/granted": ["/etc"], other: 1 } };
    const meta = { "DEV.postern/granted": ["/etc"], traceparent: "00-1" };
    expect(await pool.request("prompts/get", params, createCallContext())).toEqual({
      messages: [],
      got: { name: "p" },
    });
    const { got } = await pool.request("prompts/get", params, createCallContext({ meta }));
    expect(got).toEqual({ name: "p", _meta: { traceparent: "00-1" } });
  });

  it("are refused where nothing listed covers them", async () => {
    await using pool = await connect(sources);
    const codes = await Promise.all(
      (
        [
          ["prompts/get", { name: "p" }],
          ["resources/read", { uri: "memo://other" }],
          ["resources/read", {}],
          ["tools/call", { name: "echo" }],
          ["tools/list", {}],
          ["vendor/own", {}],
        ] as const
      ).map(([method, params]) =>
        pool
          .request(method, params, createCallContext())
          .catch((error: { code: string }) => error.code),
      ),
    );
    expect(codes).toEqual([
      "UNKNOWN_PROMPT",
      "UNKNOWN_RESOURCE",
      "INVALID_ARGUMENTS",
      "UNKNOWN_METHOD",
      "UNKNOWN_METHOD",
      "UNKNOWN_METHOD",
    ]);
  });

  it("time out with a code of their own", async () => {
    await using pool = await connect({
      a: scripted(
        { capabilities, resources: [{ uri, name: "m" }], silent: ["resources/read"] },
        { callTimeoutMs: 100 },
      ),
    });
    await expect(
      pool.request("resources/read", { uri }, createCallContext()),
    ).rejects.toMatchObject({
      code: "REQUEST_TIMEOUT",
    });
  });
});
