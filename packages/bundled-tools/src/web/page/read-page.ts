import { isUtf8 } from "node:buffer";
import type { SafeResponse } from "@postern/safe-fetch";
import { webErrors } from "../errors.js";
import type { OpenUrl } from "../open-url.js";
import { convertHtml } from "../../documents/convert-html.js";
import { decodeText } from "./decode-text.js";
import type { CachedPage } from "./page-cache.js";

/** What of a page is read before it is turned into text. */
const maxPageBytes = 5_000_000;

/** A cut PDF cannot be read, so it may be larger. */
const maxPdfBytes = 25_000_000;

const accept = {
  accept:
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
  "accept-language": "en-US, en;q=0.8, *;q=0.5",
};

/** Which page, and until when. */
export interface PageRequest {
  readonly url: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Fetches a page and turns it into text.
 *
 * @param openUrl - Fetches.
 * @param request - The page, and the time for all of it.
 * @returns The whole text.
 * @throws {PosternError} `NOT_TEXT`, `DOCUMENT_TOO_LARGE`, and why it could not be fetched.
 */
export async function readPage(openUrl: OpenUrl, request: PageRequest): Promise<CachedPage> {
  const end = performance.now() + request.timeoutMs;
  const response = await openUrl({
    ...request,
    maxBytes: maxPdfBytes + 1,
    headers: accept,
    onTooLarge: "truncate",
  });
  const source = await readSource(response, request.url);
  const text = await toText(source, {
    ...request,
    timeoutMs: Math.max(1, Math.ceil(end - performance.now())),
    finalUrl: response.url,
  });
  return {
    ...text,
    statusCode: response.status,
    contentType: source.contentType,
    finalUrl: response.url,
    redirects: response.redirects,
    downloadTruncated: source.isCut,
  };
}

type Kind = "html" | "pdf" | "text";

interface Source {
  readonly kind: Kind;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly isCut: boolean;
}

/** Reads as much as its kind allows, and nothing of what is not shown. */
async function readSource(response: SafeResponse, url: string): Promise<Source> {
  const contentType = response.headers.get("content-type") ?? "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let kind: Kind | undefined;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    kind ??= findKind(contentType, chunk);
    if (kind === undefined) {
      const length = response.headers.get("content-length");
      throw webErrors.NOT_TEXT({
        url,
        contentType,
        bytes: length === null ? null : Number(length),
      });
    }
    if (bytes > maxBytesOf(kind)) break;
  }
  const maxBytes = maxBytesOf(kind ?? "text");
  const isCut = bytes > maxBytes;
  if (kind === "pdf" && isCut) throw webErrors.DOCUMENT_TOO_LARGE({ url, maxBytes });
  const data = Buffer.concat(chunks).subarray(0, maxBytes);
  return { kind: kind ?? "text", contentType, data, isCut };
}

function maxBytesOf(kind: Kind): number {
  return kind === "pdf" ? maxPdfBytes : maxPageBytes;
}

const textType =
  /^(?:text\/.*|application\/(?:json|ld\+json|xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|x-ndjson|jsonl|sql|graphql|rtf|x-sh|x-tex|x-www-form-urlencoded|.*\+(?:json|xml|yaml)))$/;

/** What it is: by its first bytes where they are certain, else by its type; undefined for what is not text. */
function findKind(contentType: string, start: Uint8Array): Kind | undefined {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  const head = Buffer.from(start.subarray(0, 1024));
  if (head.subarray(0, 5).toString("latin1") === "%PDF-" || type === "application/pdf")
    return "pdf";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type.startsWith("image/svg") || textType.test(type)) return "text";
  if (type !== "" && type !== "application/octet-stream" && type !== "binary/octet-stream")
    return undefined;
  // Nobody said what it is.
  if (head.includes(0) || !isTextStart(head)) return undefined;
  return /^\s*<(?:!doctype html|html)[\s>]/i.test(head.toString("latin1")) ? "html" : "text";
}

function isTextStart(head: Buffer): boolean {
  // The last character may be cut.
  return [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)));
}

async function toText(
  source: Source,
  request: PageRequest & { readonly finalUrl: string },
): Promise<{ readonly text: string; readonly note: string }> {
  const { kind, data } = source;
  if (kind === "pdf") return { text: await readPdf(data, request), note: "" };
  const text = decodeText(source);
  if (kind === "text") return { text, note: "" };
  const { markdown, isPlain } = await convertHtml(text, request.finalUrl, request);
  const note = isPlain
    ? "The page is too large or too deep for Markdown in the time there was; this is its plain text, without links."
    : "";
  return { text: markdown, note };
}

async function readPdf(data: Uint8Array, { url, timeoutMs, signal }: PageRequest): Promise<string> {
  const { readPdfText } = await import("../../documents/pdf.js");
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await readPdfText(data, { signal: AbortSignal.any([signal, late]) });
  } catch (cause) {
    throw late.aborted && !signal.aborted
      ? webErrors.CONVERSION_TIMEOUT({ url }, { cause })
      : cause;
  }
}
