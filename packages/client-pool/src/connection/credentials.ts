import type { HttpTarget } from "../server-config.js";

/**
 * Tells whether connecting to a URL would send a secret: any header, a secret in the query, or a part that was put
 * in just now.
 */
export function isCredentialed(target: HttpTarget, written: HttpTarget): boolean {
  if (Object.keys(target.headers ?? {}).length > 0 || target.url !== written.url) return true;
  return [...new URL(target.url).searchParams.keys()].some((name) =>
    /key|token|secret|auth|pass|sig|code/i.test(name),
  );
}

/** Tells whether nobody between us and the URL's host can read along: https, or this machine. */
export function isPrivateRoad(url: URL): boolean {
  if (url.protocol === "https:") return true;
  const host = url.hostname;
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
  );
}
