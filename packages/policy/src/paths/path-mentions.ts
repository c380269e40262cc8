import type { JsonObject, JsonValue, Listing } from "@postern/tool";
import { findCommandPaths } from "./command-paths.js";
import { isFileUrl, parsePathText } from "./file-url.js";

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
   * `file:` URL; it is a word of a shell command.
   */
  readonly confidence: "declared" | "named" | "command";
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

/** JSON that is nested deeper is taken for no path. */
const maxDepth = 64;

/**
 * Finds the paths that the arguments of a call mention, in lists and nested objects as well. Free text is not searched
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
  return found;
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
  if (typeof value !== "object" || value === null || place.depth > maxDepth) return;
  const { argument, name } = place;
  const depth = place.depth + 1;
  if (!Array.isArray(value)) {
    for (const [key, member] of Object.entries(value as JsonObject)) {
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
  if (hasWord(name, commandWords)) readCommand(raw, place, found);
  // A name of several lines is content that is called "file".
  const isNamed = isFileUrl(raw) || (hasWord(name, pathWords) && !raw.includes("\n"));
  if (!isDeclared && !isNamed) return;
  const path = parsePathText(raw);
  const confidence = isDeclared ? "declared" : "named";
  if (path !== undefined) found.push({ raw, path, argument, confidence });
}

function readCommand(command: string, { argument, from }: Place, found: PathMention[]): void {
  for (const { raw, path } of findCommandPaths(command, from))
    found.push({ raw, path, argument, confidence: "command" });
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
