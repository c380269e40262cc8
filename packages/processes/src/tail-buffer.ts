/** Keeps the end of a stream of output. */
export interface TailBuffer {
  /** Adds output. */
  push(chunk: string | Uint8Array): void;
  /** The kept end as text; a character cut in two at its beginning is left out. */
  text(): string;
  /** How many bytes before it were let go. */
  readonly droppedBytes: number;
}

/**
 * Makes a buffer that keeps the last bytes of what is pushed into it.
 *
 * @param maxBytes - How many bytes to keep. It never holds more than twice as many.
 */
export function createTailBuffer(maxBytes: number): TailBuffer {
  let store = Buffer.alloc(0);
  let used = 0;
  let pushedBytes = 0;

  const compact = (incoming: number): void => {
    const keep = Math.min(used, maxBytes);
    const needed = keep + incoming;
    const capacity = Math.min(2 * maxBytes, Math.max(needed, 2 * store.length, 1_024));
    const next = capacity > store.length ? Buffer.alloc(capacity) : store;
    store.copy(next, 0, used - keep, used);
    store = next;
    used = keep;
  };

  return {
    push(chunk) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      pushedBytes += bytes.length;
      const tail = bytes.subarray(Math.max(0, bytes.length - maxBytes));
      if (used + tail.length > store.length) compact(tail.length);
      store.set(tail, used);
      used += tail.length;
    },
    text() {
      let start = Math.max(0, used - maxBytes);
      if (pushedBytes > used - start)
        while (start < used && (store[start]! & 0b1100_0000) === 0b1000_0000) start += 1;
      return store.toString("utf8", start, used);
    },
    get droppedBytes() {
      return pushedBytes - Math.min(used, maxBytes);
    },
  };
}
