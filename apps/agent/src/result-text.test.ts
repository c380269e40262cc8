import { expect, test } from "vitest";
import { toResultText } from "./result-text.js";

test("text blocks follow each other as they are", () => {
  const content = [
    { type: "text", text: "one\n\u001b[1mtwo" },
    { type: "text", text: "three" },
  ];
  expect(toResultText({ content })).toBe("one\n\u001b[1mtwo\nthree");
});

test("what is no text becomes a line in brackets, its size in bytes", () => {
  const content = [
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "audio", mimeType: "audio/wav", data: "AA==" },
    { type: "resource_link", uri: "file:///a\n]b", name: "a" },
    { type: "resource", resource: { uri: "a://b", text: "inside" } },
    { type: "resource", resource: { uri: "a://c", blob: "AAAAAAAA" } },
    { type: "new-kind" },
  ];
  expect(toResultText({ content }).split("\n")).toEqual([
    "[image image/png, 3 bytes]",
    "[audio audio/wav, 1 bytes]",
    "[resource link file:///a ]b]",
    "[resource a://b]",
    "inside",
    "[resource a://c, 6 bytes]",
    "[new-kind]",
  ]);
});

test("what a server sends in the place of a block is named, and no line is forged", () => {
  const blocks = [null, 5, "x", [], {}, { type: 7 }, { type: "image", mimeType: "a\nb" }];
  const content = blocks as unknown as { type: string }[];
  expect(toResultText({ content }).split("\n")).toEqual([
    ...Array.from({ length: 6 }, () => "[not a content block]"),
    "[image a b, 0 bytes]",
  ]);
});

test("data without content is written as JSON", () => {
  expect(toResultText({ content: [], structuredContent: { a: 1 } })).toBe('{\n  "a": 1\n}');
});
