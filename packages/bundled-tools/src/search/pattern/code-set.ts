/** Code points, as pairs of first and last, ascending and apart from each other. */
export type CodeSet = readonly number[];

const lastCode = 0x10ffff;

/** Puts ranges in order and together. */
export function toCodeSet(ranges: readonly (readonly [number, number])[]): CodeSet {
  const set: number[] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const end = set.at(-1);
    if (end !== undefined && first <= end + 1) set[set.length - 1] = Math.max(end, last);
    else set.push(first, last);
  }
  return set;
}

/** The ranges of a set, one by one. */
export function toRanges(set: CodeSet): readonly (readonly [number, number])[] {
  return Array.from(
    { length: set.length / 2 },
    (_, at) => [set[2 * at] ?? 0, set[2 * at + 1] ?? 0] as const,
  );
}

/** What is in one of the sets. */
export function toUnion(sets: readonly CodeSet[]): CodeSet {
  const [only] = sets;
  return only !== undefined && sets.length === 1 ? only : toCodeSet(sets.flatMap(toRanges));
}

/** What is not in the set. */
export function toComplement(set: CodeSet): CodeSet {
  const bounds = [0, ...set.map((code, at) => (at % 2 === 0 ? code - 1 : code + 1)), lastCode];
  return toRanges(bounds)
    .filter(([first, last]) => first <= last)
    .flat();
}

/** Whether one character is in the set. */
function isInSet(set: CodeSet, code: number): boolean {
  let [low, high] = [0, set.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[2 * middle + 1] ?? 0) < code) low = middle + 1;
    else high = middle;
  }
  return low < set.length / 2 && (set[2 * low] ?? 0) <= code;
}

/** Where characters are of many kinds; the rest of Unicode is of one kind for long. */
const mixed: CodeSet = [0, 0xd7ff, 0xe000, 0x323ff, 0xe0000, 0xe01ff];
const blockSize = 256;

const known = new Map<string, CodeSet | undefined>();
let mixedTexts: readonly string[] | undefined;

/**
 * Finds the characters that a class of Node's engine matches.
 *
 * @param source - What stands in its brackets, such as `\p{L}`.
 * @returns The set; undefined when Node knows no such class.
 */
export function findNodeSet(source: string): CodeSet | undefined {
  if (!known.has(source)) known.set(source, readNodeSet(source));
  return known.get(source);
}

function readNodeSet(source: string): CodeSet | undefined {
  const run = compileRun(source);
  if (run === undefined) return undefined;
  const ranges: [number, number][] = [];
  mixedTexts ??= toRanges(mixed).map(toText);
  for (const mixedText of mixedTexts)
    for (let found = run.exec(mixedText); found !== null; found = run.exec(mixedText)) {
      const [text] = found;
      const end = text.charCodeAt(text.length - 1);
      const isPair = end >= 0xdc00 && end <= 0xdfff;
      const last = isPair ? text.codePointAt(text.length - 2) : end;
      ranges.push([text.codePointAt(0) ?? 0, last ?? end]);
    }
  for (const [first, last] of toRanges(toComplement(mixed)))
    for (let code = first; code <= last && code > 0xffff; code += blockSize)
      if (String.fromCodePoint(code).search(run) === 0) ranges.push([code, code + blockSize - 1]);
  return toCodeSet(ranges);
}

function compileRun(source: string): RegExp | undefined {
  try {
    return new RegExp(`[${source}]+`, "gu");
  } catch {
    return undefined;
  }
}

function toText([first, last]: readonly [number, number]): string {
  const units = new Uint16Array(2 * (last - first + 1));
  let length = 0;
  for (let code = first; code <= last; code += 1) {
    if (code > 0xffff) units[length++] = 0xd800 + ((code - 0x10000) >> 10);
    units[length++] = code > 0xffff ? 0xdc00 + ((code - 0x10000) & 0x3ff) : code;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString("utf16le");
}

/** Letters that fold to each other though neither is the other's upper or lower case. */
const strays = [
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0xfb05, 0xfb06],
] as const;

let folds: ReadonlyMap<number, readonly number[]> | undefined;

/** Adds to a set what differs from its characters in letter case only, as simple case folding has it. */
export function toFolded(set: CodeSet): CodeSet {
  folds ??= readFolds();
  const [first = 0, last = 0] = set;
  const isOne = set.length === 2 && first === last;
  const codes = isOne ? [first] : [...folds.keys()].filter((code) => isInSet(set, code));
  const added = codes.flatMap((code) => folds?.get(code) ?? []);
  if (added.length === 0) return set;
  return toCodeSet([...toRanges(set), ...added.map((code): [number, number] => [code, code])]);
}

function readFolds(): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, Set<number>>();
  const join = (left: number, right: number): void => {
    // Node's own folding decides: the second is the first, letter case apart.
    if (!/^(.)\1$/iu.test(String.fromCodePoint(left, right))) return;
    const group = new Set([...(groups.get(left) ?? [left]), ...(groups.get(right) ?? [right])]);
    for (const code of group) groups.set(code, group);
  };
  for (const [first, last] of toRanges(findNodeSet("\\p{Changes_When_Casemapped}") ?? []))
    for (let code = first; code <= last; code += 1) {
      const text = String.fromCodePoint(code);
      for (const other of [
        text.toLowerCase(),
        text.toUpperCase(),
        text.toUpperCase().toLowerCase(),
      ])
        if (other !== text && Array.from(other).length === 1) join(code, other.codePointAt(0) ?? 0);
    }
  for (const [left, right] of strays) join(left, right);
  return new Map(Array.from(groups, ([code, group]) => [code, [...group]]));
}
