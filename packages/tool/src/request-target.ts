import { isJsonObject, type JsonObject } from "./json.js";
import type { Listing, ListingKind } from "./listing.js";
import { isUriOfTemplate } from "./uri-template.js";

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

const ownMethods: ReadonlySet<string> = new Set([
  "tools/call",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
]);

/**
 * Tells whether a set has a function of its own for a method: asked for by `request`, it would pass by the rules.
 *
 * @param method - The MCP method.
 * @returns True for `tools/call` and the lists.
 */
export function isSetMethod(method: string): boolean {
  return ownMethods.has(method);
}

/** What is about no listing and yet harmless: it reads nothing and runs nothing. */
const ruleFreeMethods: ReadonlySet<string> = new Set(["ping", "logging/setLevel"]);

/**
 * Tells whether a method that is about no listing may pass where a rule is in force. A rule cannot be asked about it,
 * so only what is known to be harmless passes.
 *
 * @param method - The MCP method.
 * @returns True for `ping` and `logging/setLevel`.
 */
export function isRuleFreeMethod(method: string): boolean {
  return ruleFreeMethods.has(method);
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

/**
 * Finds the listing of a target among what a rule permits. What is hidden keeps its names: a hidden resource is not read
 * through a permitted template that would cover its URI, and where a hidden template of the same server covers it too,
 * nobody but that server knows which of them answers, so it is not read either.
 *
 * @param all - Listings of the target's kinds, before the rule.
 * @param permitted - Those of them that the rule permits.
 * @param target - The target.
 * @returns The listing, or undefined when nothing that covers the target is listed, or some of it is hidden.
 */
export function findPermittedTarget(
  all: readonly Listing[],
  permitted: readonly Listing[],
  target: RequestTarget,
): Listing | undefined {
  const found = findTargetListing(all, target);
  if (found === undefined || all === permitted) return found;
  if (!permitted.includes(found)) return undefined;
  if (found.name === target.name) return found;
  const mayAnswer = all.filter(
    ({ kind, server, name }) =>
      kind === "template" && server === found.server && isUriOfTemplate(target.name, name),
  );
  return mayAnswer.every((listing) => permitted.includes(listing)) ? found : undefined;
}
