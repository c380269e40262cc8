import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runApart, type ApartWork } from "./run-apart.js";

/** A PDF of one page that draws this. */
function toPdf(content: Buffer): Buffer {
  const stream = Buffer.concat([
    Buffer.from(`<</Length ${content.length}/Filter/FlateDecode>>\nstream\n`),
    content,
    Buffer.from("\nendstream"),
  ]);
  const parts = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    stream,
    "<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/90ms-RKSJ-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor<</Type/FontDescriptor/FontName/Ryumin-Light/Flags 4>>>>]>>",
  ].map((part, at) =>
    Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(part), Buffer.from("\nendobj\n")]),
  );
  return Buffer.concat([
    Buffer.from("%PDF-1.4\n"),
    ...parts,
    Buffer.from("trailer\n<</Size 6/Root 1 0 R>>\n"),
  ]);
}

const toWork = (content: Buffer, limits: Partial<ApartWork> = {}): ApartWork => ({
  program: "document-worker.mjs",
  data: { kind: "PDF", data: new Uint8Array(toPdf(deflateSync(content))) },
  timeoutMs: 20_000,
  signal: new AbortController().signal,
  ...limits,
});

/** Takes longer to read than any test has. */
const endless = Buffer.from(`BT /F 12 Tf ${"(aaaaaaaa) Tj T* ".repeat(500_000)}ET`);

describe("runApart()", () => {
  it("reads the text of a PDF, also where its characters are named by a table of their own", async () => {
    const content = Buffer.from(
      "BT /F 12 Tf 72 700 Td <82B182F182C982BF82CD> Tj 0 -14 Td (two) Tj ET",
    );
    expect(await runApart(toWork(content))).toEqual({
      last: "[Page 1]\nこんにちは\ntwo",
      problem: "",
    });
  });

  it("ends a document that fills the memory outside the heap", async () => {
    const bomb = Buffer.alloc(150_000_000, " ");
    expect(await runApart(toWork(bomb, { maxGrowthBytes: 60_000_000 }))).toEqual({
      last: undefined,
      problem: "it takes too much memory",
    });
  });

  it("outlives a document that fills the heap", async () => {
    const work = toWork(Buffer.from(""), { program: "../../fixtures/full-heap-worker.mjs" });
    const { last, problem } = await runApart(work);
    expect(last).toBe("before");
    expect(problem).toMatch(/memory|reader broke/);
    expect(await runApart(toWork(Buffer.from("")))).toEqual({ last: "[Page 1]\n", problem: "" });
  });

  it("says that a program cannot be loaded", async () => {
    expect(await runApart(toWork(Buffer.from(""), { program: "none-worker.mjs" }))).toEqual({
      last: undefined,
      problem: expect.stringContaining("Cannot find module") as string,
    });
  });

  it("lets two work at once; who waits can be cancelled, and waiting counts as time", async () => {
    const first = new AbortController();
    const busy = [
      runApart(toWork(endless, { signal: first.signal })),
      runApart(toWork(endless, { signal: first.signal })),
    ];
    const second = new AbortController();
    const cancelled = runApart(toWork(endless, { signal: second.signal }));
    const late = runApart(toWork(endless, { timeoutMs: 300 }));
    const patient = runApart(toWork(Buffer.from("")));
    second.abort();
    expect(await cancelled).toEqual({ last: undefined, problem: "the call was cancelled" });
    // While both are still at work.
    expect(await late).toEqual({
      last: undefined,
      problem: "too many other documents are being worked on",
    });
    first.abort();
    expect(await patient).toEqual({ last: "[Page 1]\n", problem: "" });
    expect(await Promise.all(busy)).toEqual([
      { last: undefined, problem: "the call was cancelled" },
      { last: undefined, problem: "the call was cancelled" },
    ]);
  });
});
