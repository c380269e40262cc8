import { isPosternError, type PosternError } from "@postern/errors";
import { toWanted, type Span } from "./block.js";
import { editErrors } from "./errors.js";
import { findSpans, type Found } from "./find-spans.js";
import type { MatcherName } from "./matchers.js";
import { toReindented } from "./reindent.js";
import { createSource, toEnding, toLf, type SourceText } from "./source-text.js";

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
  /** How many places were replaced. */
  readonly replacements: number;
  /** How each edit found its place. */
  readonly matchers: readonly MatcherName[];
}

/**
 * Applies edits one after the other, all or none. Outside the replaced places not a byte changes, whatever the lines
 * end with there.
 *
 * @param source - The file.
 * @param edits - What to replace.
 * @param path - For messages.
 * @returns The new text, or the first error.
 */
export function applyEdits(
  source: SourceText,
  edits: readonly Edit[],
  path: string,
): Edited | PosternError {
  let current = source;
  let replacements = 0;
  const matchers: MatcherName[] = [];
  for (const edit of edits) {
    const problem = checkEdit(edit);
    if (problem !== undefined) return problem;
    const wanted = toWanted(edit.oldString);
    const found = findSpans(current.text, { wanted, replaceAll: edit.replaceAll, path });
    if (isPosternError(found)) return found;
    const raw = replaceSpans(current, found, (span) => toReplacement(edit, found, span));
    // The file keeps the ending that it had, also while edits replace most of its lines.
    current = { ...createSource(raw, source.hasBom), ending: source.ending };
    replacements += found.spans.length;
    matchers.push(found.matcher);
  }
  return { raw: current.raw, replacements, matchers };
}

function checkEdit({ oldString, newString }: Edit): PosternError | undefined {
  if (oldString === "") return editErrors.EDIT_EMPTY_OLD();
  return toLf(oldString) === toLf(newString) ? editErrors.EDIT_WITHOUT_CHANGE() : undefined;
}

function toReplacement(edit: Edit, { matcher, lines }: Found, span: Span): string {
  const wanted = toWanted(edit.oldString);
  const replacement = toLf(edit.newString);
  if (matcher === "exact") return replacement;
  const indented = toReindented(replacement, wanted, { lines, span });
  // The last line of a file may lack the line break that the caller wrote in both texts.
  const lacksBreak = wanted.endsLine && !lines.text.slice(span.start, span.end).endsWith("\n");
  return lacksBreak && indented.endsWith("\n") ? indented.slice(0, -1) : indented;
}

function replaceSpans(source: SourceText, { spans }: Found, toNew: (span: Span) => string): string {
  const parts: string[] = [];
  let done = 0;
  let last = "";
  for (const span of spans) {
    const change = toSmallest(source.text, span, toNew(span));
    const start = source.toRawOffset(change.start);
    const end = source.toRawOffset(change.end);
    const kept = source.raw.slice(done, start);
    const before = kept.at(-1) ?? last;
    const fresh = toJoined(toEnding(change.text, source.ending), before, source.raw[end] ?? "");
    parts.push(kept, fresh);
    last = fresh.at(-1) ?? before;
    done = end;
  }
  parts.push(source.raw.slice(done));
  return parts.join("");
}

/** Leaves out what is the same at both ends, so that those lines keep the endings they have. */
function toSmallest(
  text: string,
  { start, end }: Span,
  replacement: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  const limit = Math.min(end - start, replacement.length);
  let head = 0;
  while (head < limit && text[start + head] === replacement[head]) head += 1;
  let tail = 0;
  while (tail < limit - head && text[end - 1 - tail] === replacement[replacement.length - 1 - tail])
    tail += 1;
  return {
    start: start + head,
    end: end - tail,
    text: replacement.slice(head, replacement.length - tail),
  };
}

/** A CR that comes to stand before an LF would make one line break of two. */
function toJoined(text: string, before: string, after: string): string {
  const opened = before === "\r" && text.startsWith("\n") ? `\r${text}` : text;
  const last = opened.at(-1) ?? before;
  return last === "\r" && after === "\n" ? `${opened}\n` : opened;
}
