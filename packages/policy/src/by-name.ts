import { allowed, type ToolRule } from "@postern/tool";
import { createRefusal } from "./decisions.js";
import { assertStrings } from "./rule-options.js";
import { createKeyTable } from "./tool-keys.js";

/** Which names are exposed: exposed names (`server_tool`), `server/tool`, or the URI of a resource or template. */
export interface NameFilter {
  /** Only these. Left out: every name; empty: none. */
  readonly allow?: readonly string[];
  /** None of these, also where `allow` names them. */
  readonly deny?: readonly string[];
}

const denied = createRefusal("name: denied");
const notAllowed = createRefusal("name: not in the allow list");

/**
 * Exposes by name. Names are compared letter by letter; deny wins. An allow list also hides the prompts, resources and
 * templates that it does not name.
 *
 * @param filter - The names; copied. Check them with `checkToolKeys` first: a key that means two tools must allow nothing.
 * @returns The rule. Reasons: `name: denied`, `name: not in the allow list`.
 * @throws {PosternError} `INVALID_RULE` when a list is not a list of non-empty strings.
 */
export function byName(filter: NameFilter): ToolRule {
  assertStrings("allow", filter.allow);
  assertStrings("deny", filter.deny);
  const allow = filter.allow === undefined ? undefined : toTable(filter.allow);
  const deny = toTable(filter.deny ?? []);
  return (listing) => {
    if (deny.find(listing).length > 0) return denied;
    return allow === undefined || allow.find(listing).length > 0 ? allowed : notAllowed;
  };
}

const toTable = (keys: readonly string[]) =>
  createKeyTable(keys.map((key) => [key, true] as const));
