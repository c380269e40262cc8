import type { InputRequired, JsonObject } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { checkInputRequests } from "./input-gate.js";

const form: JsonObject = { method: "elicitation/create", params: { message: "?" } };
const url: JsonObject = { method: "elicitation/create", params: { mode: "url" } };

function check(parts: JsonObject, capabilities: unknown): unknown {
  const outcome = { resultType: "input_required", ...parts } as InputRequired;
  const error = checkInputRequests(outcome, capabilities);
  return error === undefined ? "passes" : (error.data["requiredCapabilities"] ?? error.code);
}

describe("checkInputRequests", () => {
  it.each<[string, JsonObject, unknown, unknown]>([
    ["a form", { inputRequests: { a: form } }, { elicitation: { form: {} } }, "passes"],
    [
      "a form for an old declaration",
      { inputRequests: { a: form } },
      { elicitation: {} },
      "passes",
    ],
    ["a form", { inputRequests: { a: form } }, {}, { elicitation: {} }],
    [
      "a form",
      { inputRequests: { a: form } },
      { elicitation: { url: {} } },
      { elicitation: { form: {} } },
    ],
    ["a link", { inputRequests: { a: url } }, { elicitation: {} }, { elicitation: { url: {} } }],
    ["a link", { inputRequests: { a: url } }, { elicitation: { url: {} } }, "passes"],
    [
      "sampling",
      { inputRequests: { a: { method: "sampling/createMessage" } } },
      { sampling: {} },
      "passes",
    ],
    ["roots", { inputRequests: { a: { method: "roots/list" } } }, undefined, { roots: {} }],
    [
      "the second of two",
      { inputRequests: { a: form, b: { method: "roots/list" } } },
      { elicitation: {} },
      { roots: {} },
    ],
    [
      "an unknown method",
      { inputRequests: { a: { method: "constructor" } } },
      { constructor: {} },
      -32_603,
    ],
    ["no request at all", { inputRequests: { a: "x" } }, {}, -32_603],
    ["nothing", {}, {}, -32_603],
    ["state alone", { requestState: "s" }, {}, "passes"],
  ])("judges %s by what the client declared (%#)", (...row) => {
    const [, parts, capabilities, verdict] = row;
    expect(check(parts, capabilities)).toEqual(verdict);
  });

  it("refuses with the protocol's number for a missing capability", () => {
    const outcome = { resultType: "input_required", inputRequests: { a: form } } as InputRequired;
    expect(checkInputRequests(outcome, {})).toMatchObject({
      code: -32_021,
      data: { error: "INPUT_UNAVAILABLE" },
    });
  });
});
