import { pipeline, type Duplex } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { isPosternError } from "@postern/errors";
import { safeFetchErrors } from "./errors.js";

/** What a body is read with. */
export interface BodyRules {
  /** The value of Content-Encoding; empty for none. */
  readonly encoding: string;
  readonly maxBytes: number;
  /** For errors. */
  readonly host: string;
  /** Called instead of failing when the body is longer than `maxBytes`. */
  readonly onTruncated?: (() => void) | undefined;
}

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Decompresses a body piece by piece, never more than `maxBytes` of it.
 *
 * @param raw - The bytes as they were sent.
 * @param rules - How they are coded, and the limit.
 * @throws {PosternError} `RESPONSE_TOO_LARGE`; `RESPONSE_UNREADABLE` for bytes that are not what their coding says.
 */
export async function* readBody(raw: Bytes, rules: BodyRules): AsyncGenerator<Uint8Array> {
  try {
    yield* withMaxBytes(decode(withMaxSentBytes(raw, rules.maxBytes), rules), rules.maxBytes);
  } catch (error) {
    const isTooLarge =
      isPosternError(error, safeFetchErrors) && error.code === "RESPONSE_TOO_LARGE";
    if (!isTooLarge || rules.onTruncated === undefined) throw error;
    rules.onTruncated();
  }
}

/**
 * Tells whether a body of this coding can be read.
 *
 * @param encoding - The value of Content-Encoding; empty for none.
 * @returns False also for several codings on each other, which no honest server sends and which multiply a bomb.
 */
export function isKnownEncoding(encoding: string): boolean {
  return toCoding(encoding) === "" || decoders.has(toCoding(encoding));
}

function toCoding(encoding: string): string {
  const coding = encoding.trim().toLowerCase();
  return coding === "identity" ? "" : coding;
}

const decoders: ReadonlyMap<string, (firstByte: number) => Duplex> = new Map<
  string,
  (firstByte: number) => Duplex
>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["br", () => createBrotliDecompress()],
  // "deflate" is zlib by the standard and raw for some servers; the first byte tells them apart.
  ["deflate", (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
]);

async function* decode(raw: Bytes, { encoding, host }: BodyRules): AsyncGenerator<Uint8Array> {
  const create = decoders.get(toCoding(encoding));
  if (create === undefined) {
    yield* raw;
    return;
  }
  const chunks = raw[Symbol.asyncIterator]();
  const first = await chunks.next();
  // An empty body is not compressed, whatever the headers say.
  if (first.done === true) return;
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  try {
    const decoder = create(first.value[0] ?? 0);
    // Errors come out of the iteration below; the callback only keeps them from being thrown twice.
    pipeline(all(), decoder, () => undefined);
    yield* decoder as Bytes;
  } catch (cause) {
    if (!isZlibError(cause)) throw cause;
    const problem = `it is not valid ${toCoding(encoding)}`;
    throw safeFetchErrors.RESPONSE_UNREADABLE({ host, problem }, { cause });
  }
}

function isZlibError(error: unknown): boolean {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^(?:Z_|ERR_BROTLI|ERR__ERROR_|ERR_PADDING)/.test(code);
}

async function* withMaxBytes(bytes: Bytes, maxBytes: number): AsyncGenerator<Uint8Array> {
  let left = maxBytes;
  for await (const chunk of bytes) {
    if (chunk.length <= left) {
      left -= chunk.length;
      yield chunk;
      continue;
    }
    if (left > 0) yield chunk.subarray(0, left);
    throw safeFetchErrors.RESPONSE_TOO_LARGE({ maxBytes });
  }
}

/** Not all that is sent comes out: endless empty blocks must not go by the limit. */
async function* withMaxSentBytes(raw: Bytes, maxBytes: number): AsyncGenerator<Uint8Array> {
  let left = maxBytes + Math.ceil(maxBytes / 64) + 64 * 1024;
  for await (const chunk of raw) {
    left -= chunk.length;
    if (left < 0) throw safeFetchErrors.RESPONSE_TOO_LARGE({ maxBytes });
    yield chunk;
  }
}
