import { poolErrors } from "../errors.js";
import type { FetchLike } from "../sdk.js";

/** Whose answers are limited, and to what. */
export interface FetchLimit {
  readonly server: string;
  readonly maxBytes: number;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Nobody reads more than this of the page that comes with an error status. */
const maxErrorBytes = 64 * 1_024;

/**
 * Bounds what one message of a server may hold, as a parser would collect it without end: a whole body, or one event
 * of an event stream. Counted is what comes out, for a small compressed body can hold a large one.
 *
 * @param fetch - Makes the requests.
 * @param limit - The server and the longest message.
 * @returns A `fetch` whose bodies fail with `MESSAGE_TOO_LARGE` beyond that.
 */
export function limitFetch(fetch: FetchLike, limit: FetchLimit): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { body, headers, ok, status, statusText } = response;
    if (body === null || isRedirect(status)) return response;
    const isStream = ok && (headers.get("content-type") ?? "").startsWith("text/event-stream");
    const length = Number(headers.get("content-length") ?? Number.NaN);
    const { server } = limit;
    const maxBytes = ok ? limit.maxBytes : Math.min(limit.maxBytes, maxErrorBytes);
    if (ok && length > maxBytes) {
      await body.cancel();
      throw poolErrors.MESSAGE_TOO_LARGE(limit);
    }
    // A body of known length ends there, so it need not be counted, unless it is unpacked on the way.
    if (!isStream && length <= maxBytes && !headers.has("content-encoding")) return response;
    const counted = body.pipeThrough(createCounter({ server, maxBytes }, isStream));
    return new Response(counted, { status, statusText, headers });
  };
}

/** What leads elsewhere is looked at by its head only. */
function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function createCounter(
  limit: FetchLimit,
  isStream: boolean,
): TransformStream<Uint8Array, Uint8Array> {
  const count = isStream ? createEventCount() : createSum();
  return new TransformStream({
    transform(chunk, controller) {
      if (count(chunk) > limit.maxBytes) controller.error(poolErrors.MESSAGE_TOO_LARGE(limit));
      else controller.enqueue(chunk);
    },
  });
}

/** Counts all bytes. */
function createSum(): (chunk: Uint8Array) => number {
  let bytes = 0;
  return (chunk) => (bytes += chunk.length);
}

/**
 * Counts the bytes of the event under way, which an empty line ends: a line alone is no bound, as lines are collected
 * until then.
 *
 * @returns The most bytes that an event had which was under way in the chunk.
 */
function createEventCount(): (chunk: Uint8Array) => number {
  let bytes = 0;
  let isLineEmpty = true;
  let last = 0;
  return (chunk) => {
    let most = 0;
    for (const byte of chunk) {
      bytes += 1;
      const isPairEnd = byte === lineFeed && last === carriageReturn;
      last = byte;
      if (isPairEnd) continue;
      if (byte !== lineFeed && byte !== carriageReturn) isLineEmpty = false;
      else if (isLineEmpty) {
        most = Math.max(most, bytes);
        bytes = 0;
      } else isLineEmpty = true;
    }
    return Math.max(most, bytes);
  };
}
