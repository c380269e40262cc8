import { createDeadline, type Deadline } from "./deadline.js";
import { safeFetchErrors } from "./errors.js";
import { openHop, toFetchError, type HopRules } from "./open-hop.js";
import { parseTarget, type Target } from "./parse-target.js";
import { isRedirect, toNextHop, type Sent } from "./redirect.js";
import { toResponse } from "./to-response.js";
import type { SafeFetch, SafeFetchOptions, SafeRequest, SafeResponse } from "./types.js";

/** What the transport settles. A Host of the caller's could name another site than the one that was checked. */
const transportHeader =
  /^(?:host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/;

/**
 * Makes a fetch for URLs that a stranger chose.
 *
 * A name is resolved once for each hop, all its addresses are checked, and the connection goes to a checked address.
 * No connection is used twice, and no proxy is.
 *
 * @param options - What the owner opened, and how names are resolved.
 * @returns The fetch; disposing of it gives up whatever is under way.
 */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const open = new Set<Deadline>();
  const start = async (url: string | URL, request: SafeRequest): Promise<SafeResponse> => {
    const target = readTarget(url);
    const sent = toSent(request, options.userAgent ?? "postern-safe-fetch");
    const deadline = createDeadline(request.timeoutMs, request.signal);
    open.add(deadline);
    deadline.signal.addEventListener("abort", () => open.delete(deadline), { once: true });
    try {
      return await followRedirects({ target, sent }, request, { options, deadline });
    } catch (error) {
      const known = toFetchError(error, target.host, deadline);
      deadline.stop();
      throw known;
    }
  };
  return Object.assign(start, {
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const deadline of open) deadline.stop();
    },
  });
}

function readTarget(url: string | URL): Target {
  const parsed = parseTarget(url);
  if (parsed.ok) return parsed.target;
  throw safeFetchErrors.INVALID_URL({ url: String(url), problem: parsed.problem });
}

function toSent({ method = "GET", headers = {}, body }: SafeRequest, userAgent: string): Sent {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (transportHeader.test(lower)) throw safeFetchErrors.INVALID_HEADER({ name });
    given[lower] = value;
  }
  const defaults = { "user-agent": userAgent, "accept-encoding": "gzip, deflate, br" };
  return { method, headers: { ...defaults, ...given }, body };
}

async function followRedirects(
  first: { readonly target: Target; readonly sent: Sent },
  request: SafeRequest,
  rules: HopRules,
): Promise<SafeResponse> {
  const { maxHops = 5 } = request;
  const redirects: string[] = [];
  for (let { target, sent } = first; ;) {
    const hop = await openHop(target, sent, rules);
    if (!isRedirect(hop.status))
      return toResponse(hop, { target, redirects, request, deadline: rules.deadline });
    await hop.close();
    if (redirects.length >= maxHops) throw safeFetchErrors.TOO_MANY_REDIRECTS({ maxHops });
    redirects.push(target.url.href);
    const answer = { status: hop.status, location: hop.headers.get("location") };
    ({ target, sent } = toNextHop(target, answer, sent));
  }
}
