/** What a {@link LineReader} reports to. */
export interface LineSink {
  /** The longest line, in bytes. */
  readonly maxBytes: number;
  /** Told each line, without its end. */
  readonly onLine: (line: string) => void;
  /** Told once, when a line is longer; what follows is dropped. */
  readonly onOverflow: () => void;
}

const lineFeed = 10;

/** Cuts a stream of bytes into lines of UTF-8, however they arrive. */
export class LineReader {
  readonly #sink: LineSink;
  /** The begun line. Kept in pieces, as joining them at each chunk would cost the square of its length. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  #overflowed = false;

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    let start = 0;
    while (!this.#overflowed) {
      const end = chunk.indexOf(lineFeed, start);
      if (end < 0) break;
      if (this.#bytes + end - start > this.#sink.maxBytes) return this.#overflow();
      this.#sink.onLine(this.#toLine(chunk, start, end));
      start = end + 1;
    }
    if (this.#overflowed || start === chunk.length) return;
    this.#pieces.push(start === 0 ? chunk : chunk.subarray(start));
    this.#bytes += chunk.length - start;
    if (this.#bytes > this.#sink.maxBytes) this.#overflow();
  }

  #toLine(chunk: Buffer, start: number, end: number): string {
    if (this.#pieces.length === 0) return chunk.toString("utf8", start, end);
    this.#pieces.push(chunk.subarray(start, end));
    const line = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }

  #overflow(): void {
    this.#overflowed = true;
    this.#pieces = [];
    this.#sink.onOverflow();
  }
}
