import { expect, it } from "vitest";
import { fc } from "@postern/test-kit";
import { PageCollector, type Page, type PageRequest } from "./page.js";

const whole: PageRequest = {
  offset: 1,
  charOffset: 0,
  maxLines: Number.POSITIVE_INFINITY,
  maxChars: 20_000,
  lineNumbers: false,
};

/** Reads a page of a text that arrives in pieces of so many bytes. */
function readPage(text: string, request: Partial<PageRequest> = {}, pieceBytes = 1_000_000): Page {
  const collector = new PageCollector({ ...whole, ...request });
  const bytes = Buffer.from(text);
  let at = 0;
  let isDone = false;
  while (at < bytes.length && !isDone) {
    let end = Math.min(at + pieceBytes, bytes.length);
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end += 1;
    isDone = collector.push(bytes.subarray(at, end), at);
    at = end;
  }
  return collector.finish(!isDone);
}

/** Follows `next` to the end and gives every page. */
function readPages(text: string, request: Partial<PageRequest>, pieceBytes?: number): Page[] {
  const pages: Page[] = [];
  let next: Page["next"] = { offset: 1, charOffset: 0 };
  while (next !== null) {
    const page: Page = readPage(text, { ...request, ...next }, pieceBytes);
    pages.push(page);
    next = page.next;
  }
  return pages;
}

/** Puts pages together again: a page that begins within a line goes on with the line before it. */
function joinPages(pages: readonly Page[]): string {
  return pages
    .map((page, index) => {
      const before = pages[index - 1]?.next;
      return index === 0 || (before?.charOffset ?? 0) > 0 ? page.content : `\n${page.content}`;
    })
    .join("");
}

it("counts CRLF and a lone CR as one line break each", () => {
  expect(readPage("a\r\nb\rc\n\rd")).toMatchObject({ content: "a\nb\nc\n\nd", totalLines: 5 });
});

it("breaks no line at a form feed, a vertical tab or a Unicode separator", () => {
  const text = "a\fb\u000bc\u2028d\u2029e\u0085f\u001cg";
  expect(readPage(text)).toMatchObject({ content: text, totalLines: 1 });
});

it("begins no further line after a last line break", () => {
  expect(readPage("a\nb\n")).toMatchObject({ content: "a\nb", lineEnd: 2, totalLines: 2 });
});

it("keeps a last empty line that has its own line break", () => {
  expect(readPage("a\n\n")).toMatchObject({ content: "a\n", lineEnd: 2, totalLines: 2 });
});

it("gives an empty text no line", () => {
  expect(readPage("")).toEqual({
    content: "",
    lineEnd: 0,
    totalLines: 0,
    next: null,
    shortLineLength: null,
    landmarks: [],
  });
});

it("stops after the wanted lines and says where to go on", () => {
  expect(readPage("a\nb\nc\n", { maxLines: 2 })).toMatchObject({
    content: "a\nb",
    lineEnd: 2,
    totalLines: null,
    next: { offset: 3, charOffset: 0 },
  });
});

it("has nothing more when the wanted lines are the last", () => {
  expect(readPage("a\nb\r\n", { maxLines: 2 })).toMatchObject({ totalLines: 2, next: null });
});

it("has nothing more when the LF of a last CRLF arrives alone", () => {
  expect(readPage("a\r\n", { maxLines: 1 }, 2)).toMatchObject({ totalLines: 1, next: null });
});

it("keeps an empty line that follows a CRLF at the end of a piece", () => {
  expect(readPage("x\r\n\ny", { offset: 2 }, 3)).toMatchObject({ content: "\ny", totalLines: 3 });
});

it("gives nothing past the end, with the number of lines", () => {
  expect(readPage("a\nb", { offset: 9 })).toMatchObject({
    content: "",
    lineEnd: 8,
    totalLines: 2,
    next: null,
  });
});

it("numbers lines from the first wanted one", () => {
  expect(readPage("a\nb\nc", { offset: 2, lineNumbers: true }).content).toBe("2: b\n3: c");
});

it("ends a page before a line that does not fit, numbers counted", () => {
  const request = { maxChars: 10, lineNumbers: true };
  expect(readPage("abc\ndef\ng", request)).toMatchObject({
    content: "1: abc",
    next: { offset: 2, charOffset: 0 },
  });
  expect(readPage("abc\nd\ne", { ...request, maxChars: 11 }).content).toBe("1: abc\n2: d");
});

it("rebuilds a line of 250 characters from pages of 100", () => {
  const line = Array.from({ length: 250 }, (_, index) => String(index % 10)).join("");
  const pages = readPages(line, { maxChars: 100, lineNumbers: true });
  expect(pages.map(({ next }) => next?.charOffset)).toEqual([97, 194, undefined]);
  expect(pages.map(({ content }) => content.slice(3)).join("")).toBe(line);
});

it("goes on with the next lines after the rest of a long one", () => {
  expect(readPage("abcdef\ng\n", { charOffset: 4 })).toMatchObject({
    content: "ef\ng",
    totalLines: 2,
  });
});

it("tells how long a line is that has nothing left after the characters to leave out", () => {
  expect(readPage("abc\nd", { charOffset: 7 })).toMatchObject({
    content: "\nd",
    shortLineLength: 3,
  });
});

it("cuts no character in two", () => {
  const line = "😀".repeat(40);
  const pages = readPages(line, { maxChars: 7 });
  expect(pages.some(({ content }) => /[\ud800-\udfff]/u.test(content))).toBe(false);
  expect(pages.map(({ content }) => content).join("")).toBe(line);
});

it("gives the whole character when asked to begin within it", () => {
  expect(readPage("a😀b", { charOffset: 2 }).content).toBe("😀b");
});

it("rebuilds any text from its pages, whatever their size and however the bytes arrive", () => {
  const piece = fc.constantFrom(
    "a",
    "bc",
    "é",
    "漢",
    "😀",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " ",
    "\u2028",
  );
  const sizes = {
    maxChars: fc.integer({ min: 1, max: 30 }),
    maxLines: fc.integer({ min: 1, max: 5 }),
  };
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.record(sizes),
      fc.integer({ min: 1, max: 12 }),
      (pieces, request, pieceBytes) => {
        const text = pieces.join("");
        const pages = readPages(text, request, pieceBytes);
        const expected = text.replaceAll(/\r\n?/g, "\n").replace(/\n$/, "");
        expect(joinPages(pages)).toBe(expected);
        const lines = text === "" ? 0 : expected.split("\n").length;
        expect(pages.at(-1)?.totalLines).toBe(lines);
      },
    ),
    { numRuns: 2_000 },
  );
});

it("goes on from a landmark exactly as from the beginning, whatever the line breaks and pieces", () => {
  const text = fc
    .array(fc.constantFrom("a", "bc", "é", "\n", "\r", "\r\n", "\n"), { maxLength: 40 })
    .map((parts) => parts.join(""));
  let followed = 0;
  fc.assert(
    fc.property(text, fc.nat(5), fc.integer({ min: 1, max: 7 }), (content, lines, pieceBytes) => {
      const request = { maxLines: lines + 1 };
      const { next, landmarks } = readPage(content, request, pieceBytes);
      const mark = landmarks.find(({ line }) => line === next?.offset);
      if (mark === undefined) return;
      followed += 1;
      const bytes = Buffer.from(content);
      const collector = new PageCollector({ ...whole, ...request, offset: mark.line }, mark);
      const isDone = collector.push(bytes.subarray(mark.position), mark.position);
      const { landmarks: _, ...page } = collector.finish(!isDone);
      expect(readPage(content, { ...request, offset: mark.line })).toMatchObject(page);
    }),
    { numRuns: 2_000 },
  );
  expect(followed).toBeGreaterThan(500);
});
