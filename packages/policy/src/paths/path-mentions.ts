import type { JsonObject, JsonValue, Listing } from "@postern/tool";
import { findCommandPaths } from "./command-paths.js";
import { isFileUrl, parsePathText } from "./file-url.js";
import { findCodeReason, findValuePaths, isConfigText, isFreeText } from "./value-paths.js";
import { findUnknownParts } from "./shell/unknown-parts.js";

/** A path that the arguments of a call mention. */
export interface PathMention {
  /** As it is written. */
  readonly raw: string;
  /** What it stands for: absolute, relative to where the tool works, or below `~`, the home folder. */
  readonly path: string;
  /** Where it is written, such as `path` or `options.files[2]`. */
  readonly argument: string;
  /**
   * How sure it is that this is a path: the tool declares the argument as one; its name says so, or its value is a
   * `file:` URL; it is a word of a shell command; its value looks like one.
   */
  readonly confidence: "declared" | "named" | "command" | "value";
  /** Why nobody can tell from `raw` what it touches. Then `path` says nothing. */
  readonly unknown?: string;
}

/** Words of argument names. */
const pathWords = new Set(
  (
    "path paths file files filename filenames filepath filepaths dir dirs directory directories folder folders " +
    "root roots cwd pwd workdir workspace destination dest target src source output out input location"
  ).split(" "),
);
const commandWords = new Set("command commands cmd cmds commandline shell bash script".split(" "));
const directoryNames = new Set(["cwd", "workdir", "workingdir", "workingdirectory"]);

/** What is nested deeper is not looked through. */
const maxDepth = 64;
const maxJsonLength = 100_000;
const maxPathLength = 4_096;

/**
 * Finds the paths that the arguments of a call mention, in lists, nested objects, their names, and JSON in a text as well; and
 * the parts of which nobody can tell what they touch. Free text, such as content, patterns and queries, is not searched
 * for what looks like a path.
 *
 * @param listing - The tool: its `checkpaths` name arguments that hold paths.
 * @param args - The arguments.
 * @returns The mentions, in the order of the arguments.
 */
export function findPathMentions(
  listing: Pick<Listing, "checkpaths">,
  args: JsonObject,
): readonly PathMention[] {
  const found: PathMention[] = [];
  const from = findDirectory(args);
  for (const [name, value] of Object.entries(args)) {
    const isDeclared = listing.checkpaths?.includes(name) ?? false;
    read(value ?? null, { name, argument: name, isDeclared, from, depth: 0 }, found);
  }
  return withoutRepeats(found);
}

/** What is known of an argument for one reason need not be said for a weaker one. */
function withoutRepeats(found: readonly PathMention[]): readonly PathMention[] {
  const kept = new Map<string, PathMention>();
  for (const mention of found) {
    const { argument, path, raw, unknown } = mention;
    const key = JSON.stringify(unknown === undefined ? [argument, path] : [argument, raw, unknown]);
    if (!kept.has(key)) kept.set(key, mention);
  }
  return [...kept.values()];
}

interface Place {
  /** The nearest name above. */
  readonly name: string;
  readonly argument: string;
  readonly isDeclared: boolean;
  /** Where commands start. */
  readonly from: string;
  readonly depth: number;
}

function read(value: JsonValue, place: Place, found: PathMention[]): void {
  if (typeof value === "string") return readText(value, place, found);
  if (value === true && /^include_?sensitive$/i.test(place.name))
    found.push(toUnknown("include_sensitive", "it reads files that usually hold secrets", place));
  if (typeof value !== "object" || value === null) return;
  const { argument, name } = place;
  if (place.depth > maxDepth) {
    found.push(toUnknown(argument.slice(0, 200), "it is nested too deep", place));
    return;
  }
  const depth = place.depth + 1;
  if (!Array.isArray(value)) {
    for (const [key, member] of Object.entries(value as JsonObject)) {
      for (const path of findValuePaths(key))
        found.push({ raw: key, path, argument, confidence: "value" });
      const below = { ...place, name: key, argument: `${argument}.${key}`, depth };
      read(member ?? null, below, found);
    }
    return;
  }
  const words = value as readonly JsonValue[];
  if (hasWord(name, commandWords) && words.length > 1 && words.every(isText))
    readCommand(words.map(toQuoted).join(" "), place, found);
  else
    for (const [at, item] of words.entries())
      read(item, { ...place, argument: `${argument}[${at}]`, depth }, found);
}

function readText(raw: string, place: Place, found: PathMention[]): void {
  const { name, argument, isDeclared } = place;
  const isCommand = hasWord(name, commandWords);
  if (isCommand) readCommand(raw, place, found);
  else {
    const reason = findCodeReason(name, raw);
    if (reason !== undefined) found.push(toUnknown(raw, reason, place));
  }
  // A name of several lines is content that is called "file".
  const isNamed = isFileUrl(raw) || (hasWord(name, pathWords) && !raw.trim().includes("\n"));
  if (isDeclared || isNamed) {
    const confidence = isDeclared ? "declared" : "named";
    for (const path of toSpellings(raw)) found.push({ raw, path, argument, confidence });
  }
  if (readJson(raw, place, found)) return;
  if (isCommand || isFreeText(name) || (raw.trim().includes("\n") && !isConfigText(name))) return;
  for (const path of findValuePaths(raw)) found.push({ raw, path, argument, confidence: "value" });
}

/** As it is written, and as programs may take it: without blanks around, with slashes for backslashes, without a stream. */
function toSpellings(raw: string): readonly string[] {
  const texts = new Set([raw, raw.trim()]);
  for (const text of texts) {
    // No path of the system is longer.
    if (text.length > maxPathLength) continue;
    if (text.includes("\\")) texts.add(text.replaceAll("\\", "/"));
    const stream = /^(.*[^:/\\][^:/\\]):(?:[^/\\]*)$/s.exec(text)?.[1];
    if (stream !== undefined && !isFileUrl(text)) texts.add(stream);
  }
  return [...texts].map(parsePathText).filter((path) => path !== undefined);
}

/** Arguments for another tool, as a text. */
function readJson(raw: string, place: Place, found: PathMention[]): boolean {
  if (!/^\s*[[{]/.test(raw) || raw.length > maxJsonLength || place.depth > maxDepth) return false;
  let value: JsonValue;
  try {
    value = JSON.parse(raw) as JsonValue;
  } catch {
    return false;
  }
  if (isFreeText(place.name)) return true;
  read(value, { ...place, depth: place.depth + 1 }, found);
  return true;
}

function toUnknown(raw: string, unknown: string, { argument }: Place): PathMention {
  return { raw, path: "", argument, confidence: "command", unknown };
}

function readCommand(command: string, place: Place, found: PathMention[]): void {
  const { argument, from } = place;
  const { parts, scripts } = findUnknownParts(command);
  for (const script of [command, ...scripts])
    for (const { raw, path } of findCommandPaths(script, from))
      found.push({ raw, path, argument, confidence: "command" });
  for (const { raw, reason } of parts) found.push(toUnknown(raw, reason, place));
}

function findDirectory(args: JsonObject): string {
  const [, value] =
    Object.entries(args).find(([name]) => directoryNames.has(toWords(name).join(""))) ?? [];
  return typeof value === "string" ? (parsePathText(value) ?? "") : "";
}

function hasWord(name: string, words: ReadonlySet<string>): boolean {
  return toWords(name).some((word) => words.has(word));
}

/** `outputDir`, `output_dir` and `output-dir` are two words each. */
function toWords(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "");
}

function isText(value: JsonValue): value is string {
  return typeof value === "string";
}

/** A list is a command's words as they are. */
function toQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
