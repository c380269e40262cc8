import { describe, expect, it } from "vitest";
import { findAll, readXml, readXmlText } from "./read-xml.js";

const never = new AbortController().signal;
const read = (text: string) => readXml(text, never);

const bomb = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "${"x".repeat(1000)}">${"bcdefgh"
  .split("")
  .map((name, index) => `<!ENTITY ${name} "${`&${"abcdefg"[index]};`.repeat(50)}">`)
  .join("")}]><r>&h;</r>`;

describe("readXml()", () => {
  it("reads elements, attributes, text, CDATA and references", async () => {
    const root = await read(
      '<r xmlns:n="u"><n:a k="1">x &amp; <b>y</b>&#33;</n:a><a><![CDATA[<z>]]></a></r>',
    );
    expect(findAll(root, "a").map((one) => [readXmlText(one), one.attributes["k"]])).toEqual([
      ["x & y!", "1"],
      ["<z>", undefined],
    ]);
    expect(readXmlText(root, "a", "b")).toBe("y");
    expect(readXmlText(root, "missing")).toBe("");
  });

  it.each([
    { what: "entities that grow", text: bomb },
    {
      what: "an entity from a file",
      text: '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
    },
    { what: "what is cut off", text: "<r><a>" },
    { what: "tags that do not fit", text: "<r><a></r></a>" },
    { what: "HTML", text: "<!doctype html><p>Not<br>XML" },
    { what: "JSON", text: '{"a": 1}' },
    { what: "nothing", text: "" },
    {
      what: "elements in each other without end",
      text: `${"<a>".repeat(101)}${"</a>".repeat(101)}`,
    },
    { what: "elements without end", text: `<r>${"<a/>".repeat(50_001)}</r>` },
  ])("refuses $what", async ({ text }) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "PAPER_SOURCE_FAILED",
      data: { reason: "its answer could not be understood" },
    });
  });
});
