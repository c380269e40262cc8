import { isPosternError, type PosternError } from "@postern/errors";
import type { Pacer } from "../pacer.js";
import { toWanted, type Span, type Wanted } from "./block.js";
import { editErrors } from "./errors.js";
import { findSpans, type Found } from "./find-spans.js";
import type { MatcherName } from "./matchers.js";
import { joinRegions, type Region } from "./regions.js";
import { toReindented } from "./reindent.js";
import { replaceSpans } from "./replace-spans.js";
import { maxEditBytes } from "./save-text.js";
import { createSource, toLf, type SourceText } from "./source-text.js";

/** One replacement that a caller asks for. */
export interface Edit {
  readonly oldString: string;
  readonly newString: string;
  /** Every place is meant, and not one. */
  readonly replaceAll: boolean;
}

/** What edits made of a text. */
export interface Edited {
  /** As it goes to the disk, without byte order mark. */
  readonly raw: string;
  /** The same with LF. */
  readonly text: string;
  /** How many places were replaced. */
  readonly replacements: number;
  /** How each edit found its place. */
  readonly matchers: readonly MatcherName[];
  /** What changed, in the texts with LF. */
  readonly regions: readonly Region[];
}

/**
 * Applies edits one after the other, all or none. Outside the replaced places not a byte changes, whatever the lines
 * end with there.
 *
 * @param source - The file.
 * @param edits - What to replace.
 * @param around - The path, for messages, and what lets others work meanwhile.
 * @returns The new text, or the first error.
 */
export async function applyEdits(
  source: SourceText,
  edits: readonly Edit[],
  { path, pacer }: { readonly path: string; readonly pacer: Pacer },
): Promise<Edited | PosternError> {
  let current = source;
  let replacements = 0;
  let regions: readonly Region[] = [];
  const matchers: MatcherName[] = [];
  for (const [index, edit] of edits.entries()) {
    const name = edits.length > 1 ? `edits[${index}].old_string` : "old_string";
    const problem = checkEdit(edit, name);
    if (problem !== undefined) return problem;
    const wanted = toWanted(edit.oldString);
    const { replaceAll } = edit;
    const found = await findSpans(current.text, { wanted, replaceAll, path, name, pacer });
    if (isPosternError(found)) return found;
    const toNew = toReplacement(toLf(edit.newString), wanted, found);
    const replaced = await replaceSpans(current, found.spans, {
      toNew,
      pacer,
      maxChars: maxEditBytes,
    });
    if (replaced === undefined) return editErrors.FILE_TOO_LARGE({ path, maxBytes: maxEditBytes });
    // The file keeps the ending that it had, also while edits replace most of its lines.
    current = { ...createSource(replaced.raw, source.hasBom), ending: source.ending };
    replacements += replaced.count;
    regions = joinRegions(regions, replaced.regions);
    matchers.push(found.matcher);
  }
  return { raw: current.raw, text: current.text, replacements, matchers, regions };
}

function checkEdit({ oldString, newString }: Edit, name: string): PosternError | undefined {
  if (oldString === "") return editErrors.EDIT_EMPTY_OLD({ name });
  return toLf(oldString) === toLf(newString) ? editErrors.EDIT_WITHOUT_CHANGE({ name }) : undefined;
}

/** What comes in place of a span. The bounds of one that was found loosely may differ from those of the text given. */
function toReplacement(
  replacement: string,
  wanted: Wanted,
  { matcher, lines }: Found,
): (span: Span) => string {
  if (matcher === "exact" || lines === undefined) return () => replacement;
  const bare = toBare(replacement, wanted.text);
  return (span) => {
    // A part of a line was found without the blanks around it, so they are not put there a second time.
    if (span.block === undefined) return bare;
    const indented = toReindented(replacement, wanted, { lines, block: span.block });
    // The last line of a file may lack the line break that the caller wrote in both texts.
    const lacksBreak = wanted.endsLine && !lines.text.slice(span.start, span.end).endsWith("\n");
    return lacksBreak && indented.endsWith("\n") ? indented.slice(0, -1) : indented;
  };
}

/** Takes off the blanks that both texts have around them. */
function toBare(replacement: string, wanted: string): string {
  const limit = replacement.length;
  const most = wanted.trimStart().length;
  let head = 0;
  while (head < wanted.length - most && replacement[head] === wanted[head]) head += 1;
  const trailing = wanted.length - wanted.trimEnd().length;
  let tail = 0;
  while (
    tail < Math.min(trailing, limit - head) &&
    replacement[limit - 1 - tail] === wanted[wanted.length - 1 - tail]
  )
    tail += 1;
  return replacement.slice(head, limit - tail);
}
