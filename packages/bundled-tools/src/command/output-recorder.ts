import { createTailBuffer, type TailBuffer } from "@postern/processes";
import { findCharacter } from "./find-character.js";

/** No place of a string stands for more bytes: a character of four takes two places. */
const maxBytesPerUnit = 3;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What is kept of a stream. */
export interface RecordedOutput {
  /** All of it, or its head, a line that says how many bytes are missing, and its tail. */
  readonly text: string;
  readonly truncated: boolean;
}

/** Takes in a stream of any length and keeps its beginning and its end. */
export class OutputRecorder {
  readonly #headUnits: number;
  readonly #tailUnits: number;
  readonly #headBytes: number;
  readonly #head: TailBuffer;
  readonly #tail: TailBuffer;
  #total = 0;

  /** @param maxChars - How many characters to keep, as JavaScript counts them. */
  constructor(maxChars: number) {
    this.#headUnits = Math.ceil(maxChars / 2);
    this.#tailUnits = maxChars - this.#headUnits;
    // One more: the last character may take four bytes, and is seen to have no room only when it is seen whole.
    this.#headBytes = this.#headUnits * maxBytesPerUnit + 1;
    this.#head = createTailBuffer(this.#headBytes);
    // Up to three bytes more: the rest of a character whose beginning was let go.
    this.#tail = createTailBuffer(this.#tailUnits * maxBytesPerUnit + 3);
  }

  /** How many bytes came so far. */
  get bytes(): number {
    return this.#total;
  }

  /** Adds a piece; nothing of it is decoded before it is known to be kept. */
  push(chunk: Uint8Array): void {
    const room = Math.max(0, this.#headBytes - this.#total);
    this.#total += chunk.length;
    if (room > 0) this.#head.push(chunk.subarray(0, room));
    if (chunk.length > room) this.#tail.push(room > 0 ? chunk.subarray(room) : chunk);
  }

  /** The last line so far that is not blank, shortened, for a person to see that it goes on. */
  findLastLine(): string {
    const recorded = this.#total > this.#headBytes ? this.#tail : this.#head;
    const lines = decoder.decode(recorded.bytes().subarray(-1_000)).split(/[\r\n]+/);
    const last = lines.findLast((line) => line.trim() !== "") ?? "";
    return last
      .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
      .trim()
      .slice(0, 200);
  }

  /** What is kept. */
  finish(): RecordedOutput {
    const head = this.#head.bytes();
    const tail = this.#tail.bytes();
    if (this.#tail.droppedBytes > 0) return this.#toCut(head, tail);
    const all = Buffer.concat([head, tail]);
    const text = decoder.decode(all);
    if (text.length <= this.#headUnits + this.#tailUnits) return { text, truncated: false };
    return this.#toCut(all, all);
  }

  #toCut(front: Uint8Array, back: Uint8Array): RecordedOutput {
    const head = front.subarray(0, findHeadEnd(front, this.#headUnits));
    // Where both are the same, the tail must not begin inside the head.
    const rest = back.subarray(
      findTailStart(back, this.#tailUnits, front === back ? head.length : 0),
    );
    const missing = this.#total - head.length - rest.length;
    const mark = `[… ${missing} bytes left out …]`;
    const begin = decoder.decode(head);
    const before = begin === "" || begin.endsWith("\n") ? "" : "\n";
    return { text: `${begin}${before}${mark}\n${decoder.decode(rest)}`, truncated: true };
  }
}

/** Where the last character ends that has room. */
function findHeadEnd(bytes: Uint8Array, maxUnits: number): number {
  let units = 0;
  let at = 0;
  while (at < bytes.length) {
    const next = findCharacter(bytes, at);
    if (units + next.units > maxUnits) break;
    units += next.units;
    at += next.bytes;
  }
  return at;
}

/** Where the first character begins from which on all have room. */
function findTailStart(bytes: Uint8Array, maxUnits: number, from: number): number {
  let first = from;
  // The rest of a character that was cut in two.
  if (from === 0) while (first < 3 && (bytes[first] ?? 0) >> 6 === 0b10) first += 1;
  let units = 0;
  for (let at = first; at < bytes.length;) {
    const next = findCharacter(bytes, at);
    units += next.units;
    at += next.bytes;
  }
  let at = first;
  while (units > maxUnits) {
    const next = findCharacter(bytes, at);
    units -= next.units;
    at += next.bytes;
  }
  return at;
}
