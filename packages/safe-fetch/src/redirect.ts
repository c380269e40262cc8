import { safeFetchErrors } from "./errors.js";
import { parseTarget, type Target } from "./parse-target.js";

/** What is sent at one hop. */
export interface Sent {
  readonly method: "GET" | "POST";
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Where a redirect leads, and what is sent there. */
export interface NextHop {
  readonly target: Target;
  readonly sent: Sent;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What may go to an origin that the caller did not name: it tells nothing, and can hold no key. */
const followingHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "user-agent",
]);

/** Whether a status sends the caller elsewhere. */
export function isRedirect(status: number): boolean {
  return redirectStatuses.has(status);
}

/**
 * Finds the next hop of a redirect, by the rules of the Fetch standard, and stricter with what goes to another origin.
 *
 * @param from - What redirected.
 * @param answer - Its status and Location.
 * @param sent - What was sent to it.
 * @returns The next hop, its address not checked yet.
 * @throws {PosternError} `REDIRECT_REFUSED`
 */
export function toNextHop(
  from: Target,
  answer: { readonly status: number; readonly location: string | null },
  sent: Sent,
): NextHop {
  const { host } = from;
  if (answer.location === null)
    throw safeFetchErrors.REDIRECT_REFUSED({ host, problem: "it names no Location" });
  // A header is bytes, and those of a URL that is not all ASCII are UTF-8 in practice.
  const location = Buffer.from(answer.location, "latin1").toString();
  const parsed = parseTarget(location, from.url);
  if (!parsed.ok) throw safeFetchErrors.REDIRECT_REFUSED({ host, problem: parsed.problem });
  const { target } = parsed;
  if (target.url.hash === "") target.url.hash = from.url.hash;
  return { target, sent: toSent(from, target, toMethod(answer.status, sent)) };
}

/** A 303 asks for a GET; a POST that met a 301 or 302 becomes one, as in every browser. */
function toMethod(status: number, sent: Sent): Sent {
  if (status === 307 || status === 308 || sent.method === "GET") return sent;
  const { "content-type": _dropped, ...headers } = sent.headers;
  return { method: "GET", headers, body: undefined };
}

function toSent(from: Target, to: Target, sent: Sent): Sent {
  if (from.url.origin === to.url.origin) return sent;
  if (sent.body !== undefined)
    throw safeFetchErrors.REDIRECT_REFUSED({
      host: from.host,
      problem: "what was posted is not sent to another origin",
    });
  const headers = Object.entries(sent.headers).filter(([name]) => followingHeaders.has(name));
  return { ...sent, headers: Object.fromEntries(headers) };
}
