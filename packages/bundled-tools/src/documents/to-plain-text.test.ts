import { describe, expect, it } from "vitest";
import { toPlainText } from "./to-plain-text.mjs";

describe("toPlainText()", () => {
  it.each([
    { html: "<p>one</p><p>two <b>bold</b></p>", text: "one\ntwo bold" },
    { html: "a<script>x<y</SCRIPT>b<style>c</style>", text: "a\nb" },
    { html: "a<!-- <p>no -->b", text: "ab" },
    { html: "1 < 2 && 3 > 2", text: "1 < 2 && 3 > 2" },
    { html: "&lt;p&gt; &#65;&#x42; &nbsp;&unknown; &#x110000;", text: "<p> AB &unknown; \ufffd" },
    { html: "İ<p>ß</p>", text: "İ\nß" },
    { html: "a<b", text: "a" },
    { html: "<script>never ends", text: "" },
    { html: "", text: "" },
  ])("makes $text of $html", ({ html, text }) => {
    expect(toPlainText(html)).toBe(text);
  });
});
