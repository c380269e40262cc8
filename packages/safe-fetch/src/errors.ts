import { defineErrors } from "@postern/errors";

interface OfUrl {
  /** The URL as it was given. */
  readonly url: string;
}

interface OfHost {
  /** The host as the URL names it, never what it resolves to. */
  readonly host: string;
}

/** Quotes what a stranger wrote: nothing in it can move a cursor or hide text, and it stays short. */
function toQuoted(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Why a fetch was refused or failed. No message tells an address that a name resolved to. */
export const safeFetchErrors = defineErrors({
  INVALID_URL: ({ url, problem }: OfUrl & { readonly problem: string }) =>
    `${toQuoted(url)} cannot be fetched: ${problem}.`,
  INVALID_HEADER: ({ name }: { readonly name: string }) =>
    `The header ${toQuoted(name)} is not for the caller to set. Leave it out.`,
  ADDRESS_REFUSED: ({ host }: OfHost) =>
    `${toQuoted(host)} is not on the public internet, so it is refused. Fetch a public address, or ask the owner to allow this host.`,
  HOST_UNKNOWN: ({ host }: OfHost) =>
    `The name ${toQuoted(host)} could not be resolved. Check its spelling.`,
  CONNECTION_FAILED: ({ host, reason }: OfHost & { readonly reason: string }) =>
    `The exchange with ${toQuoted(host)} failed (${reason}). Try again later, or another address.`,
  TOO_MANY_REDIRECTS: ({ maxHops }: { readonly maxHops: number }) =>
    `There were more than ${maxHops} redirects. Fetch the address that is really meant.`,
  REDIRECT_REFUSED: ({ host, problem }: OfHost & { readonly problem: string }) =>
    `A redirect from ${toQuoted(host)} is not followed: ${problem}.`,
  FETCH_TIMEOUT: ({ timeoutMs }: { readonly timeoutMs: number }) =>
    `It was not complete within ${timeoutMs / 1000} seconds. Allow more time, or try again later.`,
  RESPONSE_TOO_LARGE: ({ maxBytes }: { readonly maxBytes: number }) =>
    `The response is larger than ${maxBytes} bytes, which is the limit.`,
  RESPONSE_UNREADABLE: ({ host, problem }: OfHost & { readonly problem: string }) =>
    `The response of ${toQuoted(host)} cannot be read: ${problem}.`,
  ABORTED: "The fetch was cancelled.",
});
