import type { Caller } from "@postern/tool";
import { toBase64url } from "./base64url.js";
import { serverErrors } from "./errors.js";

/** Finds out who sends a request; undefined refuses it with 401. */
export type Authenticate = (request: Request) => Promise<Caller | undefined>;

/** A credential, and whom it stands for. */
export interface BearerToken {
  /** The token as the client sends it, without `Bearer`. */
  readonly token: string;
  /** Who sends it. */
  readonly caller: Caller;
}

/**
 * Makes a new bearer token.
 *
 * @returns 32 random bytes, in base64url: 43 characters.
 */
export function createBearer(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Shorter tokens could be guessed. */
const minTokenLength = 16;

/**
 * Recognises callers by bearer tokens. Every token is compared whole and in the same time, so the time tells nothing.
 *
 * @param tokens - The tokens, each at least 16 characters.
 * @returns An `authenticate` for `createMcpEndpoint`.
 * @throws {PosternError} `INVALID_OPTIONS` when a token is too short, or there is none.
 * @see RFC 6750 §2.1
 */
export function bearerAuthentication(tokens: readonly BearerToken[]): Authenticate {
  if (tokens.length === 0)
    throw serverErrors.INVALID_OPTIONS({ problem: "bearer authentication needs a token" });
  if (tokens.some(({ token }) => token.length < minTokenLength))
    throw serverErrors.INVALID_OPTIONS({
      problem: `a bearer token needs at least ${minTokenLength} characters; createBearer makes one`,
    });
  const encoder = new TextEncoder();
  const known = tokens.map(({ token, caller }) => ({ bytes: encoder.encode(token), caller }));
  const check: HeaderCheck = (header) => {
    const sent = header === undefined ? undefined : /^bearer +([^\s,]+)$/i.exec(header)?.[1];
    if (sent === undefined) return undefined;
    const bytes = encoder.encode(sent);
    let found: Caller | undefined;
    for (const candidate of known) if (isSame(candidate.bytes, bytes)) found ??= candidate.caller;
    return found;
  };
  const authenticate: Authenticate = (request) =>
    Promise.resolve(check(request.headers.get("authorization") ?? undefined));
  headerChecks.set(authenticate, check);
  return authenticate;
}

/** Finds the caller by the value of the `Authorization` header alone. */
type HeaderCheck = (authorization: string | undefined) => Caller | undefined;

const headerChecks = new WeakMap<Authenticate, HeaderCheck>();

/**
 * Finds the shorter way of an `authenticate` that was made here: no `Request` need be built for it.
 *
 * @param authenticate - Any.
 * @returns The check; undefined for one that was written by others.
 */
export function findHeaderCheck(authenticate: Authenticate): HeaderCheck | undefined {
  return headerChecks.get(authenticate);
}

/** Looks at every byte, whatever the first difference; only the length, which is no secret, ends it early. */
function isSame(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1) difference |= (left[at] ?? 0) ^ (right[at] ?? 0);
  return difference === 0;
}
