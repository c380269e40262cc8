import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { convertHtml } from "./convert-html.js";

const limits = { timeoutMs: 9000, signal: new AbortController().signal };
const url = "https://example.org/a/b";

/** Pages that keep a parser or a converter busy, or fill its stack or memory. */
const hostile = [
  { what: "100,000 elements in each other", html: `${"<div>".repeat(100_000)}the end` },
  { what: "2,000 tables in each other", html: `${"<table><tr><td>".repeat(2000)}the end` },
  { what: "5 MB of less-than signs", html: `${"<".repeat(5_000_000)} the end` },
  { what: "200,000 comments that never end", html: `${"<!--".repeat(200_000)}the end`, ends: "" },
  {
    what: "200,000 scripts that never end",
    html: `${"<script>".repeat(200_000)}the end`,
    ends: "",
  },
  { what: "5 MB of one tag", html: `<p ${"a ".repeat(2_500_000)}>the end` },
  { what: "1,000,000 entities", html: `${"&amp;".repeat(1_000_000)}the end` },
  {
    what: "70,000 paragraphs",
    html: `${"<p>A <a href='/x'>link</a>, and more; yes.</p>".repeat(70_000)}the end`,
  },
];

describe("convertHtml()", () => {
  it.each(hostile)(
    "comes to an end with $what, and the loop goes on meanwhile",
    async ({ html, ends = "the end" }) => {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const start = performance.now();
      const { markdown } = await convertHtml(html, url, limits);
      const ms = performance.now() - start;
      delay.disable();
      expect(markdown).toContain(ends);
      expect(ms).toBeLessThan(limits.timeoutMs + 3000);
      expect(delay.max / 1e6).toBeLessThan(500);
    },
  );

  it("falls back to the plain text, and says so", async () => {
    const html = `<title>T</title>${"<div>".repeat(1000)}one<br>two &amp; <b>three</b>`;
    expect(await convertHtml(html, url, limits)).toEqual({
      markdown: "T\none\ntwo & three",
      isPlain: true,
    });
  });

  it("resolves links by the base of the page, and drops code and inline data", async () => {
    const html = `<html><head><base href="/other/"></head><body><a href="x">x</a>
      <a href="javascript:a()">y</a> <img src="data:image/png;base64,AAAA" alt="z"><img src="i.png" alt="i"></body></html>`;
    expect(await convertHtml(html, url, limits)).toEqual({
      markdown: "[x](https://example.org/other/x) y ![i](https://example.org/other/i.png)",
      isPlain: false,
    });
  });

  it("gives up, saying so, when there is no time or the call is cancelled", async () => {
    await expect(convertHtml("<p>", url, { ...limits, timeoutMs: 1 })).rejects.toMatchObject({
      code: "CONVERSION_FAILED",
    });
    const signal = AbortSignal.timeout(10);
    await expect(convertHtml("<p>", url, { ...limits, signal })).rejects.toMatchObject({
      code: "CANCELLED",
    });
  });
});
