import { defineErrors } from "@postern/errors";
import { toQuoted } from "../../errors.js";

/** Why a search of the web failed, or one provider of it. No message holds a key. */
export const webSearchErrors = defineErrors({
  BLANK_QUERY: "The query has no words. Say what to search for.",
  NO_SEARCH_PROVIDER:
    "There is no search provider to ask. Set a key of one, for example TAVILY_API_KEY, in the server's environment.",
  WEB_SEARCH_FAILED: ({ reasons }: { readonly reasons: string }) =>
    `No search provider answered. ${reasons} Try again later, or set a key of a provider.`,
  PROVIDER_RATE_LIMITED: ({ retryAfterMs }: { readonly retryAfterMs: number }) =>
    `It was asked too often; it wants to be left alone for ${Math.ceil(retryAfterMs / 1000)} seconds.`,
  PROVIDER_STATUS: ({ status }: { readonly status: number }) => `It answered HTTP ${status}.`,
  PROVIDER_REFUSED: ({ reason }: { readonly reason: string }) =>
    `It refused: ${reason === "" ? "it did not say why" : toQuoted(reason)}.`,
  PROVIDER_MALFORMED: ({ problem }: { readonly problem: string }) =>
    `Its answer cannot be read: ${problem}.`,
  PROVIDER_TIMEOUT: ({ timeoutMs }: { readonly timeoutMs: number }) =>
    `It did not answer within ${Math.round(timeoutMs / 100) / 10} seconds.`,
  PROVIDER_KEY_INVALID: ({ variable }: { readonly variable: string }) =>
    `${variable} holds what cannot be a key. Set it to the key alone.`,
});
