import { isJsonObject, type JsonObject } from "./json.js";
import type { Listing, ListingKind } from "./listing.js";

/** The listing that a request other than a tool call is about. */
export interface RequestTarget {
  /** Kinds of listing that may answer, by preference. */
  readonly kinds: readonly ListingKind[];
  /** Its name: the prompt's, or the URI. */
  readonly name: string;
}

const byMember = (
  kinds: readonly ListingKind[],
  name: unknown,
): RequestTarget | "none" | "invalid" => (typeof name === "string" ? { kinds, name } : "invalid");

/**
 * Finds what a request is about, so that rules can be asked about it.
 *
 * @param method - The MCP method.
 * @param params - Its parameters.
 * @returns The target; `none` for a method that is about no listing; `invalid` when the parameters lack the name.
 */
export function findRequestTarget(
  method: string,
  params: JsonObject,
): RequestTarget | "none" | "invalid" {
  switch (method) {
    case "resources/read":
    case "resources/subscribe":
    case "resources/unsubscribe":
      return byMember(["resource", "template"], params["uri"]);
    case "prompts/get":
      return byMember(["prompt"], params["name"]);
    case "completion/complete": {
      const ref = params["ref"];
      if (!isJsonObject(ref)) return "invalid";
      return ref["type"] === "ref/prompt"
        ? byMember(["prompt"], ref["name"])
        : byMember(["template", "resource"], ref["uri"]);
    }
    default:
      return "none";
  }
}

/**
 * Finds the listing of a target: by its exact name, else the first template whose pattern the URI fits.
 *
 * @param listings - Listings of the target's kinds.
 * @param target - The target.
 * @returns The listing, or undefined when nothing listed covers the target.
 */
export function findTargetListing(
  listings: readonly Listing[],
  target: RequestTarget,
): Listing | undefined {
  const exact = listings.find(
    (listing) => listing.name === target.name && target.kinds.includes(listing.kind),
  );
  if (exact !== undefined || !target.kinds.includes("template")) return exact;
  return listings.find(
    (listing) => listing.kind === "template" && isUriOfTemplate(target.name, listing.name),
  );
}

/** Longer URIs fit no template: it bounds the work that a caller and a server can cause together. */
const maxUriLength = 4_096;

/**
 * Tells whether a URI can be an expansion of a URI template. Literal parts must appear in order; a simple
 * expression matches no slash, a reserved or path expression matches any text; none matches white space.
 *
 * @param uri - The URI, at most 4,096 characters.
 * @param template - The template (RFC 6570).
 * @returns True when it fits. The work grows with the product of both lengths, never faster.
 * @see RFC 6570 §3
 */
export function isUriOfTemplate(uri: string, template: string): boolean {
  if (uri.length > maxUriLength || template.length > maxUriLength) return false;
  // Every position that some split of the URI can have reached: no backtracking, whatever the template.
  let reached = new Set([0]);
  for (const part of template.split(/(\{[^{}]*\})/)) {
    if (part === "") continue;
    const expression = part.startsWith("{") && part.endsWith("}");
    reached = expression
      ? reachByExpression(uri, reached, /^\{[+#/?&.;]/.test(part) ? /\s/ : /[\s/]/)
      : reachByLiteral(uri, reached, part);
    if (reached.size === 0) return false;
  }
  return reached.has(uri.length);
}

function reachByLiteral(uri: string, from: ReadonlySet<number>, literal: string): Set<number> {
  const next = new Set<number>();
  for (const at of from) if (uri.startsWith(literal, at)) next.add(at + literal.length);
  return next;
}

function reachByExpression(uri: string, from: ReadonlySet<number>, stop: RegExp): Set<number> {
  const next = new Set(from);
  let running = false;
  for (let at = 0; at < uri.length; at += 1) {
    running = (running || from.has(at)) && !stop.test(uri[at] ?? "");
    if (running) next.add(at + 1);
  }
  return next;
}
