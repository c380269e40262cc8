import type { SafeFetch, SafeRequest, SafeResponse } from "@postern/safe-fetch";
import { allowHostsVariable } from "../open-url.js";
import type { WebSurroundings } from "../surroundings.js";

/** What the search tools need beside what all tools of the web share. */
export interface LookupSurroundings extends WebSurroundings {
  /** What fetches. Default: a safe fetch that is made at the first use. */
  readonly fetch?: SafeFetch;
}

/** Sends one request. Any status is an answer. */
export type Fetch = (url: URL, request: SafeRequest) => Promise<SafeResponse>;

/**
 * Makes a fetch whose HTTP client is loaded at the first use.
 *
 * @param around - A fetch that is there already, or what one is made of.
 * @param userAgent - Who it says it is, honestly; read at every use.
 * @returns The fetch.
 */
export function createLazyFetch(around: LookupSurroundings, userAgent: () => string): Fetch {
  const { resolve, env } = around;
  let made: Promise<SafeFetch> | undefined;
  const open = (): Promise<SafeFetch> =>
    import("@postern/safe-fetch").then(({ createSafeFetch }) =>
      createSafeFetch({
        allowHosts: () => (env(allowHostsVariable) ?? "").split(","),
        ...(resolve === undefined ? {} : { resolve }),
      }),
    );
  return async (url, request) => {
    made ??= around.fetch === undefined ? open() : Promise.resolve(around.fetch);
    const fetch = await made;
    return await fetch(url, {
      ...request,
      headers: { ...request.headers, "user-agent": userAgent() },
    });
  };
}
