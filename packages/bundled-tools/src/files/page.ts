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
}

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
  #line = 1;
  /** Whether that line has any byte yet. */
  #isLineOpen = false;
  /** A CR was last, so an LF that follows belongs to it. */
  #afterCr = false;
  /** The text of that line so far, without what is left out of the first. */
  #text = "";
  /** Characters of that line seen so far. */
  #column = 0;
  #next: Page["next"] = null;
  #shortLineLength: number | null = null;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  /** Takes the next bytes, whole characters; returns true when the page is complete. */
  push(bytes: Buffer): boolean {
    if (bytes.length === 0) return false;
    let at = this.#afterCr && bytes[0] === lf ? 1 : 0;
    this.#afterCr = false;
    if (this.#line < this.#request.offset) at = this.#skipLines(bytes, at);
    while (at < bytes.length && this.#next === null) at = this.#takeLine(bytes, at);
    return this.#next !== null;
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
    };
  }

  #skipLines(bytes: Buffer, from: number): number {
    const { length } = bytes;
    let missing = this.#request.offset - this.#line;
    let at = from;
    let lineStart = from;
    while (at < length && missing > 0) {
      const byte = bytes[at];
      at += 1;
      if (byte !== lf && byte !== cr) continue;
      this.#afterCr = byte === cr && at === length;
      if (byte === cr && bytes[at] === lf) at += 1;
      missing -= 1;
      lineStart = at;
    }
    const isAnyEnded = missing < this.#request.offset - this.#line;
    this.#line = this.#request.offset - missing;
    this.#isLineOpen = lineStart < at || (this.#isLineOpen && !isAnyEnded);
    return at;
  }

  /** Takes bytes up to and with the next line break; returns where the rest begins. */
  #takeLine(bytes: Buffer, from: number): number {
    if (this.#lines.length >= this.#request.maxLines) {
      this.#next = { offset: this.#line, charOffset: 0 };
      return from;
    }
    const end = findLineBreak(bytes, from);
    this.#isLineOpen = true;
    this.#take(bytes.toString("utf8", from, end));
    if (this.#next !== null || end === bytes.length) return end;
    this.#endLine();
    const after = end + 1;
    if (bytes[end] !== cr) return after;
    this.#afterCr = after === bytes.length;
    return bytes[after] === lf ? after + 1 : after;
  }

  /** Takes characters of a line; one that does not fit ends the page before it, or within it when it is the first. */
  #take(segment: string): void {
    const skipped = this.#toSkipped(segment);
    this.#column += segment.length;
    this.#text += segment.slice(skipped);
    const room = this.#toRoom();
    if (this.#text.length <= room) return;
    const isFirst = this.#lines.length === 0;
    const taken = isFirst ? toWholeLength(this.#text, Math.max(room, 1)) : 0;
    const seen = this.#column - this.#text.length;
    this.#next = { offset: this.#line, charOffset: isFirst ? seen + taken : 0 };
    if (isFirst) this.#lines.push(this.#toPrefix() + this.#text.slice(0, taken));
  }

  /** How many characters of the segment are left out, because the page begins within this line. */
  #toSkipped(segment: string): number {
    if (this.#line !== this.#request.offset) return 0;
    const skipped = Math.min(Math.max(this.#request.charOffset - this.#column, 0), segment.length);
    return isLowSurrogate(segment, skipped) && skipped > 0 ? skipped - 1 : skipped;
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

function findLineBreak(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== lf && bytes[at] !== cr) at += 1;
  return at;
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
