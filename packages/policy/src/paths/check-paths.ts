import { isBelow, toAbsolutePath, toFolder } from "./absolute-path.js";
import type { PathMention } from "./path-mentions.js";
import { globMarks, isPathPattern } from "./shell-word.js";
import type { IsSensitive } from "./sensitive-names.js";

/** Where a path leads. */
export interface RealPath {
  /** Absolute, with every link followed as far as there is something; with `/`. */
  readonly path: string;
  /** Whether a directory is there. */
  readonly isDirectory: boolean;
}

/** Which paths need nobody's consent, and what decides that. */
export interface PathGate {
  /** The absolute path of the folder that a tool may use. */
  readonly root: string;
  /** The absolute path where relative paths begin. Default: the root. */
  readonly directory?: string;
  /** The absolute path of the home folder, for `~`. Default: not known, so that all below it is outside. */
  readonly home?: string;
  /** Absolute paths that were allowed before: folders with all in them, and files. Default: none. */
  readonly allowed?: readonly string[];
  /** Absolute real paths that were allowed before, each for itself alone. Default: none. */
  readonly allowedFiles?: ReadonlySet<string>;
  /** Whether a file usually holds secrets; see `createSensitiveNames`. */
  readonly isSensitive: IsSensitive;
  /** Whether someone can be asked: only then is a file inside the root held back for its name. */
  readonly canAsk: boolean;
  /**
   * Finds what a pattern matches, as a shell does: an absolute path with `globMarks` in it. Undefined when that is too much
   * to find. Default: patterns are judged by the folder before their first mark alone.
   */
  findMatches?(pattern: string): Promise<readonly RealPath[] | undefined>;
  /** Follows links; undefined when that cannot be done, as in a circle. */
  toRealPath(path: string): Promise<RealPath | undefined>;
}

/** A real path that a call would use. */
export interface PathTarget extends RealPath {
  /** Where it is mentioned first. */
  readonly mention: PathMention;
}

/** What somebody has to allow before a call is made. */
export interface PathRequest {
  /**
   * A folder outside the root; or a file, in a folder that may be used, that usually holds secrets; or a part of which nobody
   * can tell what it touches.
   */
  readonly kind: "outside" | "sensitive" | "unknown";
  /** The folder or the file. When it is added to `allowed`, the same call needs it no more. */
  readonly path: string;
  /** What would be used, each at or below `path`. */
  readonly targets: readonly PathTarget[];
  /** Where it is mentioned, the surest first. */
  readonly mentions: readonly PathMention[];
  /** What of it usually holds secrets. */
  readonly sensitive: readonly string[];
}

/**
 * Finds what somebody has to allow before a call may use the paths that it mentions: one request for each folder
 * outside, and for each file that usually holds secrets.
 *
 * It asks, it does not confine: a tool may use other paths than those in its arguments, and links may be changed after
 * they were followed.
 *
 * @param mentions - What `findPathMentions` found.
 * @param gate - What needs no consent.
 * @returns The requests, sorted by path; none when the call may be made.
 */
export async function checkPaths(
  mentions: readonly PathMention[],
  gate: PathGate,
): Promise<readonly PathRequest[]> {
  const allowed = await Promise.all((gate.allowed ?? []).map((path) => toRealText(path, gate)));
  const open = [await toRealText(gate.root, gate), ...allowed];
  const requests = new Map<string, PathRequest>();
  for (const mention of mentions) {
    if (mention.unknown !== undefined) {
      addUnknown(requests, mention, gate);
      continue;
    }
    for (const wanted of await findWanted(mention, gate)) {
      if (gate.allowedFiles?.has(wanted.path) === true) continue;
      const isOpen = wanted.isReal
        ? open.some((folder) => isBelow(wanted.path, folder))
        : (gate.allowed ?? []).includes(wanted.path);
      // Of what is allowed only the file itself speaks for its secrets: nobody who allows a folder thinks of them.
      if (isOpen && (!wanted.isSensitive || !gate.canAsk || allowed.includes(wanted.path)))
        continue;
      add(requests, { mention, wanted, kind: isOpen ? "sensitive" : "outside" });
    }
  }
  return [...requests.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(toSorted);
}

interface Wanted extends RealPath {
  readonly isSensitive: boolean;
  /** Whether it is known where the path leads. Else it is outside wherever it begins, and allowed by itself alone. */
  readonly isReal: boolean;
}

/** Programs differ in where `link/..` leads: both places are wanted. */
async function findWanted(mention: PathMention, gate: PathGate): Promise<readonly Wanted[]> {
  const { home, directory = gate.root } = gate;
  const { path: text } = mention;
  const absolute = toAbsolutePath(text, { root: directory, home });
  if (isPathPattern(text)) return findMatched(absolute?.climbing ?? absolute?.path, gate);
  const first = await findOne(absolute?.path, text, gate);
  if (absolute?.climbing === undefined) return [first];
  const second = await findOne(absolute.climbing, text, gate);
  return second.path === first.path ? [first] : [first, second];
}

async function findMatched(
  pattern: string | undefined,
  gate: PathGate,
): Promise<readonly Wanted[]> {
  if (pattern === undefined || gate.findMatches === undefined) return [];
  const matches = await gate.findMatches(pattern);
  // Too many to look at: then its folder is wanted like one that is outside.
  if (matches === undefined)
    return [{ ...toUnmatched(pattern), isSensitive: false, isReal: false }];
  return matches.map((match) => ({
    ...match,
    isSensitive: gate.isSensitive(match.path),
    isReal: true,
  }));
}

function toUnmatched(pattern: string): RealPath {
  const path = pattern.replaceAll(globMarks.any, "*").replaceAll(globMarks.one, "?");
  return { path, isDirectory: false };
}

async function findOne(path: string | undefined, text: string, gate: PathGate): Promise<Wanted> {
  const real = path === undefined ? undefined : await gate.toRealPath(path);
  // A link may be named as harmlessly as the file that it leads to, or less.
  const isSensitive = gate.isSensitive(text) || (real !== undefined && gate.isSensitive(real.path));
  const found = real ?? { path: path ?? text, isDirectory: false };
  return { ...found, isSensitive, isReal: real !== undefined };
}

async function toRealText(path: string, gate: PathGate): Promise<string> {
  return (await gate.toRealPath(path))?.path ?? path;
}

interface Need {
  readonly mention: PathMention;
  readonly wanted: Wanted;
  readonly kind: PathRequest["kind"];
}

function add(requests: Map<string, PathRequest>, { mention, wanted, kind }: Need): void {
  const isWhole = kind === "sensitive" || wanted.isDirectory || !wanted.isReal;
  const path = isWhole ? wanted.path : toFolder(wanted.path);
  const known = requests.get(`${kind} ${path}`);
  const sensitive = new Set(known?.sensitive);
  if (wanted.isSensitive) sensitive.add(wanted.path);
  const targets = new Map(known?.targets.map((target) => [target.path, target]));
  if (!targets.has(wanted.path))
    targets.set(wanted.path, { path: wanted.path, isDirectory: wanted.isDirectory, mention });
  requests.set(`${kind} ${path}`, {
    kind,
    path,
    targets: [...targets.values()],
    mentions: [...(known?.mentions ?? []), mention],
    sensitive: [...sensitive],
  });
}

/** It stands for itself alone, and for no path: none begins so. */
function addUnknown(
  requests: Map<string, PathRequest>,
  mention: PathMention,
  { allowedFiles }: PathGate,
): void {
  const path = `unknown: ${mention.raw}`;
  if (allowedFiles?.has(path) === true || requests.has(path)) return;
  const targets = [{ path, isDirectory: false, mention }];
  requests.set(path, { kind: "unknown", path, targets, mentions: [mention], sensitive: [] });
}

const order = ["declared", "named", "command", "value"];

function toSorted(request: PathRequest): PathRequest {
  const mentions = request.mentions.toSorted(
    (a, b) => order.indexOf(a.confidence) - order.indexOf(b.confidence),
  );
  return Object.freeze({ ...request, mentions: Object.freeze(mentions) });
}
