import { allowed, type Decision, type ToolRule } from "@postern/tool";
import { createRefusal } from "./decisions.js";
import { assertStrings } from "./rule-options.js";

/** Which tags are exposed. Tags are compared letter by letter; a missing or empty list filters nothing. */
export interface TagFilter {
  /** Only what carries at least one of these. */
  readonly include?: readonly string[];
  /** Nothing that carries any of these, whatever else it carries. */
  readonly exclude?: readonly string[];
}

/**
 * Exposes by tag. With both lists a thing must pass both, so exclude wins; with only `exclude` the rest is exposed.
 * An include list hides whatever has no tags. Applies to tools, prompts, resources and templates alike.
 *
 * @param filter - The tags; copied, so a later change of the lists changes nothing.
 * @returns The rule. Reasons: `tags: excluded by "code"`, `tags: has none of "web", "neuroml"`.
 * @throws {PosternError} `INVALID_RULE` when a list is not a list of non-empty strings.
 * @see Klea "MCP servers", Filtering tools by tag
 */
export function byTags(filter: TagFilter): ToolRule {
  assertStrings("include", filter.include);
  assertStrings("exclude", filter.exclude);
  const included = new Set(filter.include);
  const excluded = new Map<string, Decision>();
  for (const tag of filter.exclude ?? [])
    excluded.set(tag, createRefusal(`tags: excluded by ${JSON.stringify(tag)}`));
  const none = createRefusal(
    `tags: has none of ${[...included].map((tag) => JSON.stringify(tag)).join(", ")}`,
  );
  return ({ tags }) => {
    if (excluded.size > 0)
      for (const tag of tags) {
        const refusal = excluded.get(tag);
        if (refusal !== undefined) return refusal;
      }
    if (included.size === 0) return allowed;
    for (const tag of tags) if (included.has(tag)) return allowed;
    return none;
  };
}
