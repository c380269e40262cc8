import { matchesLevels, type Level } from "./match-levels.js";

/** One line of a `.gitignore`. */
export interface IgnoreRule {
  /** Whether it takes back what others leave out. */
  readonly isKept: boolean;
  readonly isForDirectories: boolean;
  /** Whether it is about a path, as bytes, below the directory of its file. */
  matches(path: string): boolean;
}

/** More alternatives than anybody writes; braces multiply. */
const maxAlternatives = 64;

/**
 * Reads a `.gitignore` as ripgrep does, which knows braces as well. Not with a library that makes regular expressions
 * of its lines: in a stranger's repository a single line would stop the whole server (docs/decisions/0010).
 *
 * @param text - The file, a character for each byte.
 * @returns Its rules, the first first; lines that are none are left out.
 */
export function parseIgnoreRules(text: string): readonly IgnoreRule[] {
  return text
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .split(/\r?\n/)
    .map(parseRule)
    .filter((rule) => rule !== undefined);
}

function parseRule(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  let glob = line.endsWith("\\ ") ? line : line.replace(/[\t-\r ]+$/, "");
  if (glob === "") return undefined;
  const isEscaped = /^\\[!#]/.test(glob);
  const isKept = !isEscaped && glob.startsWith("!");
  if (isEscaped || isKept) glob = glob.slice(1);
  const isFixed = !isEscaped && glob.startsWith("/");
  if (isFixed) glob = glob.slice(1);
  const isForDirectories = glob.endsWith("/");
  if (isForDirectories) glob = glob.replace(/\\?\/$/, "");
  if (!isFixed && !glob.includes("/") && glob !== "**") glob = `**/${glob}`;
  if (glob.endsWith("/**")) glob = `${glob}/*`;
  const alternatives = parseGlob(glob);
  return alternatives === undefined
    ? undefined
    : { isKept, isForDirectories, matches: toTest(alternatives.map(toLevels)) };
}

function toTest(alternatives: readonly (readonly Level[])[]): (path: string) => boolean {
  const tests = alternatives.map((levels) => {
    const [first, name] = levels;
    // The common case: a name, at any depth.
    if (first === "any" && levels.length === 2 && typeof name === "function")
      return (path: string) => name(path.slice(path.lastIndexOf("/") + 1));
    return (path: string) => matchesLevels(levels, path.split("/"));
  });
  return (path) => tests.some((test) => test(path));
}

/** A sign of a glob: a run of anything, a folder's end, or a test of one byte. */
type Sign = "run" | "/" | { readonly text?: string; matches(byte: string): boolean };

interface Reader {
  readonly glob: string;
  at: number;
}

/** Reads a glob with its braces written out; undefined when it is none. */
function parseGlob(glob: string): readonly (readonly Sign[])[] | undefined {
  const reader: Reader = { glob, at: 0 };
  const parsed = readAlternatives(reader, 0);
  return reader.at < glob.length ? undefined : parsed;
}

function readAlternatives(reader: Reader, depth: number): readonly (readonly Sign[])[] | undefined {
  const done: (readonly Sign[])[] = [];
  let open: (readonly Sign[])[] = [[]];
  const { glob } = reader;
  while (reader.at < glob.length) {
    const sign = glob[reader.at];
    if (depth > 0 && (sign === "}" || sign === ",")) {
      done.push(...open);
      open = [[]];
      if (sign === "}") return done;
      reader.at += 1;
      continue;
    }
    const next = sign === "{" ? readBraces(reader, depth) : readSign(reader);
    if (next === undefined) return undefined;
    open = open.flatMap((before) => next.map((after) => [...before, ...after]));
    if (open.length + done.length > maxAlternatives) return undefined;
  }
  return depth > 0 ? undefined : open;
}

function readBraces(reader: Reader, depth: number): readonly (readonly Sign[])[] | undefined {
  reader.at += 1;
  if (depth > 10) return undefined;
  const inside = readAlternatives(reader, depth + 1);
  reader.at += 1;
  return inside;
}

function readSign(reader: Reader): readonly (readonly Sign[])[] | undefined {
  const { glob } = reader;
  const sign = glob[reader.at] ?? "";
  if (sign === "[") return readClass(reader);
  reader.at += 1;
  if (sign === "}") return undefined;
  if (sign === "*") return [["run"]];
  if (sign === "/") return [["/"]];
  if (sign === "?") return [[{ matches: () => true }]];
  if (sign !== "\\") return [[toByte(sign)]];
  const escaped = glob[reader.at];
  reader.at += 1;
  return escaped === undefined ? undefined : [[escaped === "/" ? "/" : toByte(escaped)]];
}

function toByte(text: string): Sign {
  return { text, matches: (byte) => byte === text };
}

/** A bracket that opens and never closes is a character. */
function readClass(reader: Reader): readonly (readonly Sign[])[] | undefined {
  const { glob, at } = reader;
  const isNegated = glob[at + 1] === "!" || glob[at + 1] === "^";
  const start = at + (isNegated ? 2 : 1);
  const end = glob.indexOf("]", start + 1);
  if (end === -1) {
    reader.at += 1;
    return [[toByte("[")]];
  }
  reader.at = end + 1;
  const ranges: (readonly [string, string])[] = [];
  for (let index = start; index < end; index += 1) {
    const first = glob[index] ?? "";
    const isRange = glob[index + 1] === "-" && index + 2 < end;
    const last = isRange ? (glob[index + 2] ?? "") : first;
    if (last < first) return undefined;
    ranges.push([first, last]);
    if (isRange) index += 2;
  }
  const matches = (byte: string): boolean =>
    ranges.some(([first, last]) => first <= byte && byte <= last) !== isNegated;
  return [[{ matches }]];
}

function toLevels(signs: readonly Sign[]): readonly Level[] {
  const levels: Sign[][] = [[]];
  for (const sign of signs)
    if (sign === "/") levels.push([]);
    else levels.at(-1)?.push(sign);
  return levels.map((level): Level => {
    if (level.length === 2 && level.every((sign) => sign === "run")) return "any";
    const text = level.map((sign) => (typeof sign === "object" ? sign.text : undefined));
    if (text.every((byte) => byte !== undefined)) {
      const name = text.join("");
      return (candidate) => candidate === name;
    }
    return (candidate) => matchesSigns(level, candidate);
  });
}

/** On a mismatch only the last run may grow, so that no pattern makes it try combinations. */
function matchesSigns(signs: readonly Sign[], name: string): boolean {
  let [at, next, run, runAt] = [0, 0, -1, 0];
  while (at < name.length) {
    const sign = signs[next];
    if (sign === "run") {
      run = next;
      runAt = at;
      next += 1;
    } else if (typeof sign === "object" && sign.matches(name[at] ?? "")) {
      next += 1;
      at += 1;
    } else if (run >= 0) {
      next = run + 1;
      runAt += 1;
      at = runAt;
    } else return false;
  }
  return signs.slice(next).every((rest) => rest === "run");
}
