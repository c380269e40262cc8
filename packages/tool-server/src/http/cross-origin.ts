import type { AnswerHeaders, Exchange } from "./exchange.js";

/**
 * What lets pages of an origin that the owner named read answers.
 *
 * @param origin - The origin, as sent.
 * @returns Headers of the answer.
 * @see Fetch standard, CORS protocol
 */
export function readableHeaders(origin: string): readonly (readonly [string, string])[] {
  return [
    ["access-control-allow-origin", origin],
    ["access-control-expose-headers", "www-authenticate, retry-after"],
    ["vary", "origin"],
  ];
}

const preflight: AnswerHeaders = Object.freeze({
  "access-control-allow-methods": "POST, GET",
  "access-control-allow-headers":
    "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id",
  "access-control-max-age": "600",
});

/**
 * Recognises the question a browser asks before it sends a page's request. It carries no credential, so it is
 * answered before one is asked for.
 *
 * @param exchange - The exchange.
 * @returns Headers of the answer; undefined for any other request.
 */
export function findPreflight(exchange: Exchange): AnswerHeaders | undefined {
  const isPreflight =
    exchange.method === "OPTIONS" && exchange.header("access-control-request-method") !== undefined;
  return isPreflight ? preflight : undefined;
}
