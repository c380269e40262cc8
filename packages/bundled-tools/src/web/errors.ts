import { defineErrors } from "@postern/errors";
import { toQuoted } from "../errors.js";

interface OfUrl {
  /** The URL as the caller gave it. */
  readonly url: string;
}

/** Why a page or a file of the web was not got. What the address itself is refused for is in `safeFetchErrors`. */
export const webErrors = defineErrors({
  HTTP_STATUS: ({ url, status }: OfUrl & { readonly status: number }) =>
    `${toQuoted(url)} answered HTTP ${status}. ${toStatusAdvice(status)}`,
  BROWSER_CHALLENGE: ({ url }: OfUrl & { readonly status: number }) =>
    `${toQuoted(url)} lets only browsers in that pass a check (a Cloudflare challenge), so a program cannot read it. Use another source.`,
  NOT_TEXT: ({ url, contentType, bytes }: OfUrl & NotText) =>
    `${toQuoted(url)} is ${contentType === "" ? "binary data" : toQuoted(contentType)}${bytes === null ? "" : ` of ${bytes} bytes`}, which cannot be shown as text. Use the download tool to save it.`,
  DOCUMENT_TOO_LARGE: ({ url, maxBytes }: OfUrl & { readonly maxBytes: number }) =>
    `${toQuoted(url)} is a document of more than ${maxBytes} bytes, which is not converted to text. Use the download tool to save it.`,
  CONVERSION_TIMEOUT: ({ url }: OfUrl) =>
    `${toQuoted(url)} could not be turned into text in time. Allow more time, or use the download tool to save it.`,
  DOWNLOAD_TOO_LARGE: ({ url, maxBytes }: OfUrl & { readonly maxBytes: number }) =>
    `${toQuoted(url)} is larger than ${maxBytes} bytes, which is the limit for a download. Nothing was saved.`,
});

interface NotText {
  readonly contentType: string;
  /** Null when the server did not say. */
  readonly bytes: number | null;
}

function toStatusAdvice(status: number): string {
  if (status === 404 || status === 410) return "There is nothing there; check the address.";
  if (status === 401 || status === 403) return "It does not let everyone in; use another source.";
  if (status === 429) return "It was asked too often; wait, or use another source.";
  if (status >= 500) return "The server has a problem; try again later.";
  return "Check the address.";
}
