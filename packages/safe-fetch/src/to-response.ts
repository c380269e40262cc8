import type { Deadline } from "./deadline.js";
import { safeFetchErrors } from "./errors.js";
import { toFetchError, type Hop } from "./open-hop.js";
import type { Target } from "./parse-target.js";
import { isKnownEncoding, readBody } from "./read-body.js";
import type { SafeBytes, SafeRequest, SafeResponse } from "./types.js";

/** What a response is made of, beside the last hop. */
export interface ResponseParts {
  /** Where the last hop went. */
  readonly target: Target;
  readonly redirects: readonly string[];
  readonly request: SafeRequest;
  readonly deadline: Deadline;
}

/**
 * Makes the response of a fetch from its last hop.
 *
 * @param hop - The answer, unread.
 * @param parts - What else belongs to it.
 * @returns The response. Reading its body to the end, breaking off, or closing it ends the deadline.
 * @throws {PosternError} `RESPONSE_UNREADABLE`, `RESPONSE_TOO_LARGE`, for what the headers tell already.
 */
export function toResponse(hop: Hop, parts: ResponseParts): SafeResponse {
  const { target, redirects, request, deadline } = parts;
  assertReadable(hop, target.host, request);
  const cut = { truncated: false };
  const body = readToEnd(hop, parts, cut);
  return {
    status: hop.status,
    headers: hop.headers,
    url: target.url.href,
    redirects,
    body,
    bytes: async (): Promise<SafeBytes> => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      return { data: Buffer.concat(chunks), truncated: cut.truncated };
    },
    close: async (): Promise<void> => {
      deadline.stop();
      await hop.close();
    },
  };
}

async function* readToEnd(
  hop: Hop,
  { target: { host }, request, deadline }: ResponseParts,
  cut: { truncated: boolean },
): AsyncGenerator<Uint8Array> {
  const { maxBytes, onTooLarge } = request;
  const encoding = hop.headers.get("content-encoding") ?? "";
  const onTruncated = (): void => {
    cut.truncated = true;
  };
  const rules = { encoding, maxBytes, host };
  try {
    yield* readBody(hop.raw, onTooLarge === "truncate" ? { ...rules, onTruncated } : rules);
  } catch (error) {
    throw toFetchError(error, host, deadline);
  } finally {
    deadline.stop();
    await hop.close();
  }
}

/** Refuses before the first byte what could only be refused later. */
function assertReadable(hop: Hop, host: string, { maxBytes, onTooLarge }: SafeRequest): void {
  const encoding = hop.headers.get("content-encoding") ?? "";
  if (!isKnownEncoding(encoding))
    throw safeFetchErrors.RESPONSE_UNREADABLE({
      host,
      problem: `its Content-Encoding is ${JSON.stringify(encoding.slice(0, 50))}`,
    });
  const isTooLong = Number(hop.headers.get("content-length") ?? 0) > maxBytes;
  if (isTooLong && onTooLarge !== "truncate" && encoding === "")
    throw safeFetchErrors.RESPONSE_TOO_LARGE({ maxBytes });
}
