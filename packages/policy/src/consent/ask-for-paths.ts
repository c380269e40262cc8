import { isPosternError } from "@postern/errors";
import {
  errorResult,
  grantedMetaKey,
  isInputRequiredError,
  toQuoted,
  type CallTool,
  type Interceptor,
  type Listing,
  type ResolvedCall,
  type ToolResult,
} from "@postern/tool";
import { checkPaths, type PathGate, type PathRequest } from "../paths/check-paths.js";
import { findPathMentions, type PathMention } from "../paths/path-mentions.js";
import { pathErrors, type Denial } from "./errors.js";
import type { ConsentStore } from "./consent-store.js";
import { readPathAnswer, toPathQuestion, type PathAnswer } from "./path-question.js";
import { SessionConsents, toCovers, toTargets } from "./session-consents.js";

/** Which paths need consent, and where it is kept. */
export interface PathConsentOptions extends Pick<
  PathGate,
  "root" | "home" | "isSensitive" | "toRealPath" | "findMatches"
> {
  /** `ask` puts a question to the owner; `deny` refuses at once. */
  readonly consent: "ask" | "deny";
  /** Absolute paths that a tool may use without asking, folders with all in them. Default: none. */
  readonly findOpen?: (listing: Listing) => readonly string[];
  /** Which arguments hold paths, by shown name of the tool, beside those that its server declares. Default: none. */
  readonly checkpaths?: Readonly<Record<string, readonly string[]>>;
  /** The absolute path where relative paths of a tool begin. Default: the root. */
  readonly findDirectory?: (listing: Listing) => string | undefined;
  /** Where the owner's `always` is kept. Default: it counts until the session ends. */
  readonly store?: ConsentStore;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Makes the gate that asks the owner before a call uses a path outside the root, or a file that usually holds secrets.
 *
 * All paths of one call are asked about in one question, and calls of one caller that wait for the same path wait for one
 * question. What was allowed travels with the call, as real paths, under `grantedMetaKey`. A call that is not allowed
 * resolves to `PATH_DENIED`, and nothing of it was done.
 *
 * It asks, it does not confine: see `checkPaths`.
 *
 * @param options - The root, and what decides.
 * @returns The interceptor.
 */
export function askForPaths(options: PathConsentOptions): Interceptor {
  const gate = new ConsentGate(options);
  return (next) => (call) => gate.call(call, next);
}

/** A question that is being answered. */
interface Pending {
  readonly paths: ReadonlySet<string>;
  readonly answer: Promise<PathAnswer | "not_shown">;
}

/** Why a call may not be made. */
interface Refusal {
  readonly requests: readonly PathRequest[];
  readonly denial: Denial;
}

/** One call on its way through. */
interface Passing {
  readonly call: ResolvedCall;
  readonly mentions: readonly PathMention[];
  readonly session: Session;
  /** Real paths that were allowed for this call alone. */
  readonly once: Set<string>;
}

/** What is remembered of one caller. */
interface Session {
  readonly consents: SessionConsents;
  readonly pending: Set<Pending>;
}

const maxSessions = 1_000;

class ConsentGate {
  readonly #options: PathConsentOptions;
  readonly #sessions = new Map<string, Session>();
  #root: ReturnType<PathGate["toRealPath"]> | undefined;

  constructor(options: PathConsentOptions) {
    this.#options = options;
  }

  async call(call: ResolvedCall, next: CallTool): ReturnType<CallTool> {
    const mentions = findPathMentions(this.#withDeclared(call.listing), call.arguments);
    if (mentions.length === 0) return next(call);
    const session = this.#findSession(call);
    const passing: Passing = { call, mentions, session, once: new Set() };
    const all = await this.#check(passing, { allowed: [], allowedFiles: new Set() });
    if (all.length === 0) return next(call);
    const refusal = await this.#findRefusal(passing).catch(toFailure);
    if (refusal !== undefined) return "content" in refusal ? refusal : refuse(refusal);
    const granted = toTargets(all.filter(({ kind }) => kind !== "unknown")).map(({ path }) => path);
    const meta = { ...call.context.meta, [grantedMetaKey]: granted };
    return next({ ...call, context: { ...call.context, meta } });
  }

  /** Asks until nothing is left to ask for, or something is denied. */
  async #findRefusal(passing: Passing): Promise<Refusal | undefined> {
    const { session, once } = passing;
    for (;;) {
      const { allowed, allowedFiles } = await session.consents.findOpen(this.#options.store);
      const open = { allowed, allowedFiles: new Set([...allowedFiles, ...once]) };
      const requests = await this.#check(passing, open);
      if (requests.length === 0) return undefined;
      if (session.consents.isDenied(requests)) return { requests, denial: "denied_before" };
      if (this.#options.consent === "deny") return { requests, denial: "nobody_asked" };
      const pending = findPending(session, requests);
      const answer = await (pending?.answer.catch(() => undefined) ?? this.#ask(passing, requests));
      // Who waited for another's question in vain asks one of its own.
      if (answer === undefined) continue;
      const answered = requests.map((request) => within(request, pending)).filter(hasTargets);
      if (answer === "not_shown") return { requests: answered, denial: "not_shown" };
      if (isNo(answer)) return { requests: answered, denial: "denied" };
      for (const { path } of toTargets(answered)) once.add(path);
    }
  }

  /** Registered before anything is waited for, so that of two calls that come at once one asks. */
  #ask({ call, session }: Passing, requests: readonly PathRequest[]): Pending["answer"] {
    const answer = this.#put(call, session, requests);
    const pending: Pending = {
      paths: new Set(toTargets(requests).map(({ path }) => path)),
      answer,
    };
    session.pending.add(pending);
    const end = (): void => void session.pending.delete(pending);
    answer.then(end, end);
    return answer;
  }

  async #put(
    { name, context }: ResolvedCall,
    { consents }: Session,
    requests: readonly PathRequest[],
  ): Pending["answer"] {
    const question = await toPathQuestion(name, requests);
    if (question === undefined) return "not_shown";
    const answer = readPathAnswer(await context.ask(question));
    const { store, now = Date.now } = this.#options;
    if (isKept(answer) && store !== undefined)
      for (const cover of toCovers(requests, answer === "always_folder"))
        await store.add({ ...cover, tool: name, at: now() });
    else consents.keep(answer, requests);
    return answer;
  }

  #check({ call, mentions }: Passing, open: Pick<PathGate, "allowed" | "allowedFiles">) {
    const { root, home, isSensitive, toRealPath, findMatches, findOpen, findDirectory } =
      this.#options;
    const directory = findDirectory?.(call.listing);
    return checkPaths(mentions, {
      root,
      isSensitive,
      // The root is followed once: led elsewhere later, all in it is outside.
      toRealPath: (path) => (path === root ? (this.#root ??= toRealPath(path)) : toRealPath(path)),
      canAsk: true,
      ...(home === undefined ? {} : { home }),
      ...(findMatches === undefined ? {} : { findMatches }),
      ...(directory === undefined ? {} : { directory }),
      ...open,
      allowed: [...(findOpen?.(call.listing) ?? []), ...(open.allowed ?? [])],
    });
  }

  #withDeclared(listing: Listing): Pick<Listing, "checkpaths"> {
    const { checkpaths = {} } = this.#options;
    const { name, server, originalName } = listing;
    const keys = [name, `${server}/${originalName}`];
    const own = keys.flatMap((key) =>
      Object.hasOwn(checkpaths, key) ? (checkpaths[key] ?? []) : [],
    );
    return own.length === 0 ? listing : { checkpaths: [...listing.checkpaths, ...own] };
  }

  #findSession({ context: { caller } }: ResolvedCall): Session {
    const key = JSON.stringify([caller.kind, caller.id]);
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const session: Session = { consents: new SessionConsents(), pending: new Set() };
    // Whoever is forgotten is asked about again.
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(key, session);
    return session;
  }
}

function findPending({ pending }: Session, requests: readonly PathRequest[]): Pending | undefined {
  const targets = toTargets(requests);
  return [...pending].find(({ paths }) => targets.some(({ path }) => paths.has(path)));
}

/** Of a request only what a question was about; all of it without one. */
function within(request: PathRequest, pending: Pending | undefined): PathRequest {
  if (pending === undefined) return request;
  const targets = request.targets.filter(({ path }) => pending.paths.has(path));
  return { ...request, targets };
}

function hasTargets({ targets }: PathRequest): boolean {
  return targets.length > 0;
}

function isNo(answer: PathAnswer): boolean {
  return answer === "deny" || answer === "deny_session";
}

function isKept(answer: PathAnswer): boolean {
  return answer === "always" || answer === "always_folder";
}

/** What was kept and cannot be read, or not be added to, allows nothing; the question of a later round passes. */
function toFailure(error: unknown): ToolResult {
  if (isInputRequiredError(error) || !isPosternError(error)) throw error;
  return errorResult(error);
}

const maxShown = 1_000;

function refuse({ requests, denial }: Refusal): ReturnType<typeof errorResult> {
  const paths = toTargets(requests).map(
    ({ path }) => toQuoted(path, maxShown) ?? "a path that is too long to show",
  );
  return errorResult(pathErrors.PATH_DENIED({ paths, denial }));
}
