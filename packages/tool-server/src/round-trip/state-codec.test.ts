import { fc } from "@postern/test-kit";
import type { JsonObject } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { parseBase64url, toBase64url } from "../base64url.js";
import { createStateCodec } from "./state-codec.js";

const key = Uint8Array.from({ length: 32 }, (_, at) => at);
const codec = createStateCodec(key);
const payload = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

describe("createStateCodec()", () => {
  it("opens what it sealed, and nothing that differs from it in any byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        payload,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (value, where, by) => {
          const sealed = await codec.seal(value);
          expect(await codec.open(sealed)).toEqual(value);
          const bytes = parseBase64url(sealed) ?? new Uint8Array();
          const at = where % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ by;
          expect(await codec.open(toBase64url(bytes))).toBeUndefined();
          const characters = sealed.split("");
          const spot = where % characters.length;
          characters[spot] = characters[spot] === "A" ? "B" : "A";
          expect(await codec.open(characters.join(""))).toBeUndefined();
          expect(await codec.open(sealed.slice(0, where % sealed.length))).toBeUndefined();
          expect(await codec.open(`${sealed}A`)).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });

  it("opens no text of others", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.base64String(), fc.uint8Array({ max: 255 }).map(toBase64url)),
        async (text) => {
          expect(await codec.open(text)).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
    expect(await codec.open("A".repeat(5 * 1024 * 1024))).toBeUndefined();
  });

  it("shows nothing of what it seals, and seals the same twice differently", async () => {
    const texts = [await codec.seal({ a: "secret" }), await codec.seal({ a: "secret" })];
    expect(texts[0]).not.toBe(texts[1]);
    for (const text of texts)
      expect(new TextDecoder().decode(parseBase64url(text))).not.toContain("secret");
  });

  it("opens what another with the same key sealed, and nothing of another key", async () => {
    const sealed = await codec.seal({ a: 1 });
    expect(await createStateCodec(key).open(sealed)).toEqual({ a: 1 });
    expect(await createStateCodec(key.map((byte) => byte ^ 1)).open(sealed)).toBeUndefined();
    expect(await createStateCodec().open(sealed)).toBeUndefined();
    expect(await createStateCodec().open(await createStateCodec().seal({}))).toBeUndefined();
  });

  it("is not changed by what happens to the key's bytes later", async () => {
    const bytes = Uint8Array.from(key);
    const early = createStateCodec(bytes);
    bytes.fill(0);
    expect(await codec.open(await early.seal({ a: 1 }))).toEqual({ a: 1 });
  });
});

describe("base64url", () => {
  it("gives back every byte", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
        const text = toBase64url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString("base64url"));
        expect(parseBase64url(text)).toEqual(bytes);
      }),
      { numRuns: 50 },
    );
  });

  it.each(["a", "ab=", "a+b/", "a b", "ä", "abcde"])("does not read %j", (text) => {
    expect(parseBase64url(text)).toBeUndefined();
  });
});
