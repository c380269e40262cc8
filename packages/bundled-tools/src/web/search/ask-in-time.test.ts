import { describe, expect, it } from "vitest";
import { askInTime, toReason } from "./ask-in-time.js";
import { webSearchErrors } from "./errors.js";
import { readProviderKey } from "./provider-key.js";

const never = new AbortController().signal;

describe("askInTime()", () => {
  it("ends with PROVIDER_TIMEOUT whatever ignores its limits, and tells it", async () => {
    let told: AbortSignal | undefined;
    const turn = await askInTime(
      ({ signal }) => {
        told = signal;
        return new Promise(() => undefined);
      },
      20.7,
      never,
    );
    expect(turn).toMatchObject({ error: { code: "PROVIDER_TIMEOUT", data: { timeoutMs: 20 } } });
    expect(told?.aborted).toBe(true);
  });

  it("gives what is thrown at once as it gives what is rejected", async () => {
    const error = webSearchErrors.PROVIDER_STATUS({ status: 500 });
    const thrown = await askInTime(
      () => {
        throw error;
      },
      1000,
      never,
    );
    expect(thrown).toEqual({ error });
  });
});

describe("toReason()", () => {
  it("says nothing of an error that is not ours", () => {
    expect(toReason(new TypeError("key-1"))).toBe("It failed.");
  });

  it("quotes what a provider says, so that it cannot move a cursor or hide text", () => {
    const error = webSearchErrors.PROVIDER_REFUSED({ reason: "no\u202e\n\u001b[2J" });
    expect([error.code, toReason(error)]).toEqual([
      "PROVIDER_REFUSED",
      'It refused: "no\\u202e\\n\\u001b[2J".',
    ]);
  });
});

describe("readProviderKey()", () => {
  it.each(["a b", "a\r\nx-evil: 1", "schlüssel", '"quoted"'])(
    "refuses %j, and shows it not",
    (text) => {
      let thrown: unknown;
      try {
        readProviderKey("EXA_API_KEY", text);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({
        code: "PROVIDER_KEY_INVALID",
        message: "EXA_API_KEY holds what cannot be a key. Set it to the key alone.",
      });
    },
  );

  it("hides the key in both its spellings", () => {
    const { value, hide } = readProviderKey("EXA_API_KEY", " a/b= ");
    expect([value, hide("x a/b= y a%2Fb%3D")]).toEqual(["a/b=", "x [key] y [key]"]);
  });

  it("takes a blank one for none", () => {
    expect(readProviderKey("EXA_API_KEY", " ").value).toBeUndefined();
  });
});
