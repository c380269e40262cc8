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

test("data without content is written as JSON", () => {
  expect(toResultText({ content: [], structuredContent: { a: 1 } })).toBe('{\n  "a": 1\n}');
});
