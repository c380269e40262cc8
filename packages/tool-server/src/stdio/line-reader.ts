/** What a stream of bytes holds. */
export type Line =
  | { readonly kind: "line"; readonly bytes: Buffer }
  | { readonly kind: "too_long"; readonly maxBytes: number };

const newline = 0x0a;

/** Cuts a stream into lines. A line over the limit is thrown away to its end, and told of once. */
export class LineReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #skipping = false;

  /** @param maxBytes - Longest line, without its end. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes the next bytes.
   *
   * @param chunk - The bytes.
   * @returns The lines that end in them.
   */
  push(chunk: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.#take(chunk.subarray(from, end), lines);
      if (!this.#skipping) lines.push({ kind: "line", bytes: this.#whole() });
      this.#skipping = false;
      from = end + 1;
    }
    this.#take(chunk.subarray(from), lines);
    return lines;
  }

  #take(part: Buffer, lines: Line[]): void {
    if (this.#skipping || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      this.#skipping = true;
      this.#whole();
      lines.push({ kind: "too_long", maxBytes: this.#maxBytes });
      return;
    }
    this.#chunks.push(part);
  }

  #whole(): Buffer {
    const [first, second] = this.#chunks;
    const whole = first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    return whole;
  }
}
