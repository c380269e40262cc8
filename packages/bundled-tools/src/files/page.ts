import { isAscii } from "node:buffer";

/** Which part of a text is wanted. */
export interface PageRequest {
  /** First line, from 1. */
  readonly offset: number;
  /** Characters of that line to leave out, in UTF-16 units. */
  readonly charOffset: number;
  /** Most lines; may be infinite. */
  readonly maxLines: number;
  /** Most characters in all, line numbers and line breaks included. */
  readonly maxChars: number;
  /** Whether each line begins with its number. */
  readonly lineNumbers: boolean;
}

/** A part of a text. */
export interface Page {
  readonly content: string;
  /** Its last line; one less than the first when there is none. */
  readonly lineEnd: number;
  /** Lines of the whole text; null when its end was not reached. */
  readonly totalLines: number | null;
  /** Where the next part begins; null when there is nothing more. */
  readonly next: { readonly offset: number; readonly charOffset: number } | null;
  /** How long the first line is, when it is shorter than what was to be left out of it. */
  readonly shortLineLength: number | null;
  /** Where lines that were passed begin, the one to go on with among them. */
  readonly landmarks: readonly Landmark[];
}

/** Where a line begins in its file. */
export interface Landmark {
  /** From 1. */
  readonly line: number;
  /** In bytes. */
  readonly position: number;
}

/** So far apart are landmarks: a few milliseconds of reading. */
const landmarkBytes = 8 * 1024 * 1024;

const lf = 10;
const cr = 13;

/**
 * Cuts a page out of a text that comes in pieces, and keeps no more than the page. Lines end with LF, CRLF or CR; a
 * line break at the end of the text begins no further line.
 */
export class PageCollector {
  readonly #request: PageRequest;
  readonly #lines: string[] = [];
  #usedChars = 0;
  /** The line that the next byte belongs to. */
  #line: number;
  /** Where that line begins in the file. */
  #lineStart: number;
  readonly #landmarks: Landmark[] = [];
  /** Whether that line has any byte yet. */
  #isLineOpen = false;
  /** A CR was last, so an LF that follows belongs to it. */
  #afterCr = false;
  /** Where the next LF and CR of the bytes being taken are, so that neither is looked for again at every line. */
  #nextLf = -1;
  #nextCr = -1;
  /** The text of that line so far, without what is left out of the first. */
  #text = "";
  /** Characters of that line seen so far. */
  #column = 0;
  #next: Page["next"] = null;
  #shortLineLength: number | null = null;

  /** Begins at the beginning of the text, or at a landmark that is not after the wanted line. */
  constructor(request: PageRequest, from: Landmark = { line: 1, position: 0 }) {
    this.#request = request;
    this.#line = from.line;
    this.#lineStart = from.position;
  }

  /** Takes the next bytes, whole characters, which begin at a position; returns true when the page is complete. */
  push(bytes: Buffer, position: number): boolean {
    if (bytes.length === 0) return false;
    let at = this.#afterCr && bytes[0] === lf ? 1 : 0;
    if (!this.#isLineOpen) this.#lineStart = position + at;
    this.#afterCr = false;
    this.#nextLf = -1;
    this.#nextCr = -1;
    if (this.#line < this.#request.offset) at = this.#skipLines(bytes, at, position);
    while (at < bytes.length && this.#next === null) {
      at = this.#takeLine(bytes, at);
      if (!this.#isLineOpen) this.#lineStart = position + at;
    }
    this.#mark();
    return this.#next !== null;
  }

  /** Remembers where the current line begins, if that is of use. */
  #mark(): void {
    // An LF that comes next would belong to the line before.
    if (this.#afterCr) return;
    const last = this.#landmarks.at(-1)?.position ?? 0;
    const isNext = this.#next !== null && this.#next.offset === this.#line;
    if (isNext || this.#lineStart - last >= landmarkBytes)
      this.#landmarks.push({ line: this.#line, position: this.#lineStart });
  }

  /** Gives the page; `isComplete` tells whether the bytes pushed were the whole text. */
  finish(isComplete: boolean): Page {
    if (isComplete && this.#isLineOpen && this.#line >= this.#request.offset) this.#endLine();
    const total = this.#isLineOpen ? this.#line : this.#line - 1;
    return {
      content: this.#lines.join("\n"),
      lineEnd: this.#request.offset + this.#lines.length - 1,
      totalLines: this.#next === null && isComplete ? total : null,
      next: this.#next,
      shortLineLength: this.#shortLineLength,
      landmarks: this.#landmarks,
    };
  }

  /** Leaves out whole lines until the first wanted one; returns where the rest begins. */
  #skipLines(bytes: Buffer, from: number, position: number): number {
    let at = from;
    while (at < bytes.length && this.#line < this.#request.offset) {
      const end = this.#findLineBreak(bytes, at);
      this.#isLineOpen = end === bytes.length;
      if (this.#isLineOpen) return end;
      this.#line += 1;
      at = this.#toNextLine(bytes, end);
      this.#lineStart = position + at;
    }
    return at;
  }

  /** Takes bytes up to and with the next line break; returns where the rest begins. */
  #takeLine(bytes: Buffer, from: number): number {
    if (this.#lines.length >= this.#request.maxLines) {
      this.#next = { offset: this.#line, charOffset: 0 };
      return from;
    }
    const end = this.#findLineBreak(bytes, from);
    this.#isLineOpen = true;
    this.#take(bytes.subarray(from, end));
    if (this.#next !== null || end === bytes.length) return end;
    this.#endLine();
    return this.#toNextLine(bytes, end);
  }

  #findLineBreak(bytes: Buffer, from: number): number {
    if (this.#nextLf < from) this.#nextLf = findByte(bytes, lf, from);
    if (this.#nextCr < from) this.#nextCr = findByte(bytes, cr, from);
    return Math.min(this.#nextLf, this.#nextCr);
  }

  /** Where the line after a line break begins. */
  #toNextLine(bytes: Buffer, end: number): number {
    const after = end + 1;
    if (bytes[end] !== cr) return after;
    this.#afterCr = after === bytes.length;
    return bytes[after] === lf ? after + 1 : after;
  }

  /** Takes characters of a line; one that does not fit ends the page before it, or within it when it is the first. */
  #take(bytes: Buffer): void {
    const left = this.#line === this.#request.offset ? this.#request.charOffset - this.#column : 0;
    const length = left > 0 ? toLength(bytes) : 0;
    if (left > 0 && length < left) {
      this.#column += length;
      return;
    }
    const segment = bytes.toString("utf8");
    this.#column += segment.length;
    this.#text += segment.slice(toWholeStart(segment, Math.max(left, 0)));
    const room = this.#toRoom();
    if (this.#text.length <= room) return;
    const isFirst = this.#lines.length === 0;
    const taken = isFirst ? toWholeLength(this.#text, Math.max(room, 1)) : 0;
    const seen = this.#column - this.#text.length;
    this.#next = { offset: this.#line, charOffset: isFirst ? seen + taken : 0 };
    if (isFirst) this.#lines.push(this.#toPrefix() + this.#text.slice(0, taken));
  }

  #endLine(): void {
    const { offset, charOffset } = this.#request;
    if (this.#line === offset && charOffset > 0 && charOffset >= this.#column)
      this.#shortLineLength = this.#column;
    this.#usedChars += this.#toPrefix().length + this.#text.length + 1;
    this.#lines.push(this.#toPrefix() + this.#text);
    this.#line += 1;
    this.#isLineOpen = false;
    this.#text = "";
    this.#column = 0;
  }

  #toPrefix(): string {
    return this.#request.lineNumbers ? `${this.#line}: ` : "";
  }

  #toRoom(): number {
    return this.#request.maxChars - this.#usedChars - this.#toPrefix().length;
  }
}

/** Where a byte is next; the end when it is nowhere. */
function findByte(bytes: Buffer, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found < 0 ? bytes.length : found;
}

/** The length that valid UTF-8 has as text, in UTF-16 units, found without making the text. */
function toLength(bytes: Buffer): number {
  if (isAscii(bytes)) return bytes.length;
  let length = 0;
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) length += 1;
    if (byte >= 0xf0) length += 1;
  }
  return length;
}

/** Where to begin so as not to begin within a surrogate pair. */
function toWholeStart(text: string, start: number): number {
  return start > 0 && isLowSurrogate(text, start) ? start - 1 : start;
}

/** The most characters up to a length that cut no surrogate pair, but at least one character. */
function toWholeLength(text: string, length: number): number {
  if (!isLowSurrogate(text, length)) return length;
  return length > 1 ? length - 1 : length + 1;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
