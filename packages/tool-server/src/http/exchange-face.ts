import type { Exchange } from "./exchange.js";

/** How `serveHttp` reaches an endpoint without building a `Request` and a `Response` for every call. */
export interface ExchangeFace {
  /** Answers one exchange. Never rejects. */
  handle(exchange: Exchange): Promise<void>;
  /** Ends every stream; running calls go on. */
  drain(): Promise<void>;
}

/** Registered, so that the two entry points find each other also where a bundler split them. */
export const exchangeFace = Symbol.for("dev.postern.exchange-face.1");

/**
 * Finds the face of an endpoint of ours.
 *
 * @param endpoint - Any endpoint.
 * @returns Its face; undefined for a foreign one.
 */
export function findExchangeFace(endpoint: object): ExchangeFace | undefined {
  return (endpoint as { readonly [exchangeFace]?: ExchangeFace })[exchangeFace];
}
