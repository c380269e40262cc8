import { fc } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { isUriOfTemplate } from "./uri-template.js";

describe("isUriOfTemplate()", () => {
  it.each([
    { template: "note://{id}", fits: ["note://1", "note://", "note://a,b", "note://%2e%2e%2f"] },
    { template: "db://{table}/{id}", fits: ["db://notes/1", "db:///"] },
    { template: "file:///{+path}", fits: ["file:///a/b/c", "file:///"] },
    { template: "x://a{?q,r}", fits: ["x://a", "x://a?q=1&r=2", "x://a?q=a/b"] },
    { template: "x://a{?q}{&r}", fits: ["x://a?q=1&r=2", "x://a&r=2"] },
    { template: "x://a{/path*}/end", fits: ["x://a/b/c/end", "x://a/end"] },
    { template: "x://a{.ext}", fits: ["x://a.json", "x://a.tar.gz", "x://a"] },
    { template: "x://a{;v}", fits: ["x://a;v=1"] },
    { template: "x://a{#part}", fits: ["x://a#b/c", "x://a"] },
    { template: "plain://x", fits: ["plain://x"] },
    { template: "aXaXb{v}", fits: ["aXaXb1"] },
    { template: "{a}ab{b}ab", fits: ["abab", "xabyab", "aabab"] },
  ])("fits $fits to $template", ({ template, fits }) => {
    expect(fits.filter((uri) => !isUriOfTemplate(uri, template))).toEqual([]);
  });

  it.each([
    { template: "note://{id}", unfit: ["note://a/b", "note:/1", "NOTE://1", "xnote://1", ""] },
    { template: "db://{table}/{id}", unfit: ["db://notes", "db://notes/1/2"] },
    { template: "file:///{+path}", unfit: ["file:///a b", "file:///a\nb", "file:///a\u3000b"] },
    { template: "db://notes{?q}", unfit: ["db://notes-secret", "db://notes/1", "db://notesx?q=1"] },
    { template: "x://a{/path}", unfit: ["x://ab", "x://a?b"] },
    { template: "x://a{.ext}", unfit: ["x://a/etc", "x://a.b/c", "x://ab"] },
    { template: "x://a{;v}", unfit: ["x://a;v=1/2", "x://av"] },
    { template: "x://a{#part}", unfit: ["x://ab"] },
    { template: "plain://x", unfit: ["plain://", "plain://xx", "plain://x/"] },
    { template: "", unfit: ["a"] },
    { template: "x://{id", unfit: ["x://1"] },
  ])("fits none of $unfit to $template", ({ template, unfit }) => {
    expect(unfit.filter((uri) => isUriOfTemplate(uri, template))).toEqual([]);
  });

  it("fits nothing longer than 4,096 characters, and no template of more than 32 expressions", () => {
    expect(isUriOfTemplate("x".repeat(4_096), "{a}")).toBe(true);
    expect(isUriOfTemplate("x".repeat(4_097), "{a}")).toBe(false);
    expect(isUriOfTemplate("x", `{a}${" ".repeat(4_094)}`)).toBe(false);
    expect(isUriOfTemplate("x", "{a}".repeat(32))).toBe(true);
    expect(isUriOfTemplate("x", "{a}".repeat(33))).toBe(false);
  });

  it.each([
    { what: "many expressions between repeats", template: "{+a}x".repeat(32), text: "x" },
    {
      what: "long literals of repeats",
      template: `${`{+a}${"x".repeat(120)}`.repeat(32)}y`,
      text: "x",
    },
    { what: "near misses", template: `${"{a}".repeat(31)}${"xy".repeat(1_900)}`, text: "xy" },
    { what: "open braces", template: "{".repeat(4_096), text: "{" },
    { what: "broken expressions", template: "{a".repeat(2_048), text: "{a" },
  ])("takes hostile input in time: $what", ({ template, text }) => {
    const uri = text.repeat(4_096 / text.length);
    const start = performance.now();
    for (let round = 0; round < 10; round += 1) isUriOfTemplate(uri, template);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("agrees with a plain regular expression on short input", () => {
    const part = fc.oneof(
      fc.constantFrom("a", "b", "ab", "aa", "/", "?"),
      fc.constantFrom("{x}", "{+x}", "{?x}", "{/x}", "{.x}"),
    );
    const patterns: Readonly<Record<string, string>> = {
      "{x}": "[^\\s/]*",
      "{+x}": "\\S*",
      "{?x}": "(?:\\?\\S*)?",
      "{/x}": "(?:/\\S*)?",
      "{.x}": "(?:\\.[^\\s/]*)?",
      "?": "\\?",
    };
    const uri = fc
      .array(fc.constantFrom("a", "b", "/", "?", ".", " "), { maxLength: 8 })
      .map((characters) => characters.join(""));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), uri, (parts, text) => {
        const pattern = parts.map((each) => patterns[each] ?? each).join("");
        expect(isUriOfTemplate(text, parts.join(""))).toBe(new RegExp(`^${pattern}$`).test(text));
      }),
      { numRuns: 5_000 },
    );
  });
});
