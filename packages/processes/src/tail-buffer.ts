/** Keeps the end of a stream of output. */
export interface TailBuffer {
  /** Adds output; copies what it keeps of it. */
  push(chunk: string | Uint8Array): void;
  /** The kept end as text; a character cut in two at its beginning is left out. */
  text(): string;
  /** The kept end, whatever it is; a copy. */
  bytes(): Uint8Array;
  /** How many bytes before it were let go. */
  readonly droppedBytes: number;
}

/**
 * Makes a buffer that keeps the last bytes of what is pushed into it.
 *
 * @param maxBytes - How many bytes to keep. It never holds more, and begins small.
 */
export function createTailBuffer(maxBytes: number): TailBuffer {
  // A ring, of which `start` is the oldest byte; it begins to turn only once it has its full size.
  let store = Buffer.alloc(0);
  let start = 0;
  let used = 0;
  let pushedBytes = 0;

  const grow = (neededBytes: number): void => {
    const next = Buffer.alloc(Math.min(maxBytes, Math.max(neededBytes, 2 * store.length, 1_024)));
    store.copy(next, 0, 0, used);
    store = next;
  };
  const write = (tail: Uint8Array): void => {
    const at = (start + used) % store.length;
    const first = Math.min(tail.length, store.length - at);
    store.set(tail.subarray(0, first), at);
    store.set(tail.subarray(first), 0);
    const overwritten = Math.max(0, used + tail.length - store.length);
    start = (start + overwritten) % store.length;
    used += tail.length - overwritten;
  };
  const toBytes = (): Buffer => {
    const first = store.subarray(start, Math.min(start + used, store.length));
    return Buffer.concat([first, store.subarray(0, used - first.length)]);
  };

  return {
    push(chunk) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      pushedBytes += bytes.length;
      const tail = bytes.length > maxBytes ? bytes.subarray(bytes.length - maxBytes) : bytes;
      if (tail.length === 0 || maxBytes === 0) return;
      if (used + tail.length > store.length && store.length < maxBytes) grow(used + tail.length);
      write(tail);
    },
    text() {
      const bytes = toBytes();
      let from = 0;
      if (pushedBytes > used)
        while (from < used && (bytes[from]! & 0b1100_0000) === 0b1000_0000) from += 1;
      return bytes.toString("utf8", from);
    },
    bytes: toBytes,
    get droppedBytes() {
      return pushedBytes - used;
    },
  };
}
