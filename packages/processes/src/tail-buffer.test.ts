import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { createTailBuffer } from "./index.js";

describe("createTailBuffer", () => {
  it("keeps all of what fits", () => {
    const tail = createTailBuffer(10);
    tail.push("ab");
    tail.push(Buffer.from("cé"));
    expect([tail.text(), tail.droppedBytes]).toEqual(["abcé", 0]);
  });

  it("leaves out a character that is cut in two", () => {
    const tail = createTailBuffer(4);
    tail.push("€€");
    expect([tail.text(), tail.droppedBytes]).toEqual(["€", 2]);
  });

  it("keeps nothing where nothing may be kept", () => {
    const tail = createTailBuffer(0);
    tail.push("abc");
    expect([tail.text(), tail.droppedBytes]).toEqual(["", 3]);
  });

  it("does not follow later changes of what was pushed", () => {
    const tail = createTailBuffer(10);
    const chunk = Buffer.from("abc");
    tail.push(chunk);
    chunk.fill(0);
    expect(tail.text()).toBe("abc");
  });

  it("keeps exactly the last bytes, however they come", () => {
    const chunks = fc.array(fc.string({ unit: "binary-ascii", maxLength: 50 }), { maxLength: 40 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 64 }), (texts, maxBytes) => {
        const tail = createTailBuffer(maxBytes);
        for (const text of texts) tail.push(text);
        const whole = texts.join("");
        expect(tail.text()).toBe(whole.slice(-maxBytes));
        expect(tail.droppedBytes).toBe(Math.max(0, whole.length - maxBytes));
      }),
    );
  });
});
