import { poolErrors } from "../errors.js";
import type { FetchLike } from "../sdk.js";

/** Whose answers are limited, and to what. */
export interface FetchLimit {
  readonly server: string;
  readonly maxBytes: number;
}

const lineFeed = 10;

/**
 * Bounds what one message of a server may hold, as a parser would collect it without end: a whole JSON body, or one
 * line of an event stream.
 *
 * @param fetch - Makes the requests.
 * @param limit - The server and the longest message.
 * @returns A `fetch` whose bodies fail with `MESSAGE_TOO_LARGE` beyond that.
 */
export function limitFetch(fetch: FetchLike, limit: FetchLimit): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null || !response.ok) return response;
    const type = response.headers.get("content-type") ?? "";
    const perLine = type.startsWith("text/event-stream");
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    if (length > limit.maxBytes) {
      await response.body.cancel();
      throw poolErrors.MESSAGE_TOO_LARGE(limit);
    }
    // A body of known length ends there, so it need not be counted.
    if (!perLine && length >= 0) return response;
    const { status, statusText, headers } = response;
    const body = response.body.pipeThrough(createCounter(limit, perLine));
    return new Response(body, { status, statusText, headers });
  };
}

function createCounter(
  limit: FetchLimit,
  perLine: boolean,
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lineEnd = perLine ? chunk.lastIndexOf(lineFeed) : -1;
      bytes = lineEnd < 0 ? bytes + chunk.length : chunk.length - lineEnd - 1;
      if (bytes > limit.maxBytes) controller.error(poolErrors.MESSAGE_TOO_LARGE(limit));
      else controller.enqueue(chunk);
    },
  });
}
