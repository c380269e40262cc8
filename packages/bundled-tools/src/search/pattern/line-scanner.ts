import type { Kinds } from "./find-kinds.js";
import { readCodePoint } from "./read-code-point.js";
import type { Program } from "./compile-program.js";

/** Looks through bytes, line by line, for one that matches. */
export interface LineScanner {
  /** Begins anew, at the beginning of a line. */
  reset(): void;
  /**
   * Goes on from where it was.
   *
   * @param bytes - UTF-8; bytes that are not match nothing.
   * @param from - Where to go on, and where it has come to before.
   * @param to - Where to stop, at the latest.
   * @returns Where the first match ends, which may be its line's end; -1 when there is none up to `at`.
   */
  scan(bytes: Uint8Array, from: number, to: number): number;
  /** Where `scan` stopped: at `to` or up to three bytes further; before it when the pattern made it work hard. */
  readonly at: number;
  /** Whether a last line, without a line break, matches at its end. */
  matchesAtEnd(): boolean;
}

/** What is known of a state and the character after it; others are the offsets of states. */
const unknown = -1;
const matched = -2;

/** Cells of the table of states; then it is begun anew, so that no pattern fills the memory. */
const maxCells = 1 << 20;

/** Steps to follow in one go: some milliseconds. */
const maxEffort = 40_000;

/** What came before: the beginning of a line, a character of words, another one, a byte that is none. */
type Before = 0 | 1 | 2 | 3;

interface State {
  readonly steps: readonly number[];
  readonly before: Before;
}

/**
 * Makes a scanner. It follows all the ways of the pattern at once, and keeps in mind what it found out about each
 * combination of them: the time grows with the length of the text only, whatever the pattern.
 */
export function createLineScanner(program: Program, kinds: Kinds): LineScanner {
  return new Scanner(program, kinds);
}

class Scanner implements LineScanner {
  at = 0;
  readonly #program: Program;
  readonly #kinds: Kinds;
  readonly #wordSet: number;
  /** Beside the kinds of characters: a byte that is none, and the end of a line. */
  readonly #invalid: number;
  readonly #end: number;
  readonly #width: number;
  /** The kind of each byte that is a character; the last of all kinds for those that are looked at closer. */
  readonly #byteKinds: Uint16Array;
  #table: Int32Array;
  #states: State[] = [];
  #known = new Map<string, number>();
  #state = 0;
  readonly #maxEfforts: number;
  readonly #seen: Uint32Array;
  #round = 0;

  constructor(program: Program, kinds: Kinds) {
    this.#program = program;
    this.#wordSet = program.sets.length;
    this.#kinds = kinds;
    this.#invalid = this.#kinds.count;
    this.#end = this.#invalid + 1;
    const special = this.#end + 1;
    this.#width = special + 1;
    this.#byteKinds = new Uint16Array(256).fill(special);
    this.#byteKinds.set(this.#kinds.plane.subarray(0, 128));
    this.#byteKinds[10] = this.#end;
    this.#byteKinds[13] = special;
    this.#table = new Int32Array(this.#width * 16).fill(unknown);
    this.#seen = new Uint32Array(program.steps.length);
    this.#maxEfforts = Math.max(4, Math.ceil(maxEffort / program.steps.length));
    this.#clear();
  }

  reset(): void {
    this.#state = 0;
  }

  scan(bytes: Uint8Array, from: number, to: number): number {
    const kinds = this.#byteKinds;
    let table = this.#table;
    let state = this.#state;
    let at = from;
    let efforts = this.#maxEfforts;
    while (at < to && efforts > 0) {
      const next = table[state + (kinds[bytes[at] as number] as number)] as number;
      if (next >= 0) {
        state = next;
        at += 1;
        continue;
      }
      const character = this.#readCharacter(bytes, at);
      let after = table[state + character.kind] as number;
      if (after === unknown) {
        after = this.#findNext(state, character.kind);
        table = this.#table;
        efforts -= 1;
      }
      if (after === matched) {
        this.#state = 0;
        this.at = at;
        return at;
      }
      state = after;
      at += character.length;
    }
    this.#state = state;
    this.at = at;
    return -1;
  }

  #readCharacter(
    bytes: Uint8Array,
    at: number,
  ): { readonly kind: number; readonly length: number } {
    const byte = bytes[at] ?? 0;
    // A CR before a LF is part of the line's end; another one ends a line for the pattern, as in ripgrep.
    if (byte === 13) return { kind: this.#end, length: bytes[at + 1] === 10 ? 2 : 1 };
    if (byte < 128) return { kind: this.#byteKinds[byte] ?? 0, length: 1 };
    const code = readCodePoint(bytes, at);
    if (code < 0) return { kind: this.#invalid, length: 1 };
    if (code > 0xffff) return { kind: this.#kinds.find(code), length: 4 };
    return { kind: this.#kinds.plane[code] ?? 0, length: code < 0x800 ? 2 : 3 };
  }

  matchesAtEnd(): boolean {
    const known = this.#table[this.#state + this.#end] ?? unknown;
    const next = known === unknown ? this.#findNext(this.#state, this.#end) : known;
    this.#state = 0;
    return next === matched;
  }

  #clear(): void {
    this.#states = [];
    this.#known = new Map();
    this.#table.fill(unknown);
    // The beginning of a line is always the first state.
    this.#toOffset({ steps: [], before: 0 });
  }

  /** Finds out where a character leads, and notes it. */
  #findNext(offset: number, kind: number): number {
    const state = this.#states[offset / this.#width];
    if (state === undefined) return 0;
    const steps = this.#follow(state, kind);
    if (steps !== undefined && (this.#states.length + 1) * this.#width > maxCells) {
      this.#clear();
      return kind === this.#end ? 0 : this.#toOffset({ steps, before: this.#toBefore(kind) });
    }
    const next =
      steps === undefined
        ? matched
        : kind === this.#end
          ? 0
          : this.#toOffset({ steps, before: this.#toBefore(kind) });
    this.#table[offset + kind] = next;
    return next;
  }

  #toBefore(kind: number): Before {
    // What came before makes a difference only to the edges of words.
    if (!this.#program.hasWords) return 2;
    if (kind === this.#invalid) return 3;
    return this.#kinds.members[kind]?.has(this.#wordSet) === true ? 1 : 2;
  }

  #toOffset(state: State): number {
    const key = `${state.before},${state.steps.join()}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const offset = this.#states.length * this.#width;
    this.#states.push(state);
    this.#known.set(key, offset);
    if (offset + this.#width > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2).fill(unknown);
      larger.set(this.#table);
      this.#table = larger;
    }
    return offset;
  }

  /** All steps that can come after a character; undefined when the pattern has matched before it. */
  #follow({ steps, before }: State, kind: number): readonly number[] | undefined {
    const { steps: all, first } = this.#program;
    const members = this.#kinds.members[kind];
    const holds = this.#findHolds(before, kind);
    this.#round += 1;
    const pending = [first, ...steps.toReversed()];
    const after = new Set<number>();
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (this.#seen[at] === this.#round) continue;
      this.#seen[at] = this.#round;
      const step = all[at];
      if (step?.kind === "match") return undefined;
      if (step?.kind === "take") {
        if (members?.has(step.set) === true) after.add(step.next);
      } else if (step?.kind === "fork") pending.push(step.other, step.one);
      else if (step !== undefined && holds[step.kind]) pending.push(step.next);
    }
    return [...after].toSorted((a, b) => a - b);
  }

  #findHolds(
    before: Before,
    kind: number,
  ): Readonly<Record<"start" | "end" | "boundary" | "inner", boolean>> {
    const after = kind === this.#end ? 0 : this.#toBefore(kind);
    const isEdge = (before === 1) !== (after === 1);
    return {
      start: before === 0,
      end: kind === this.#end,
      boundary: isEdge,
      // Beside a byte that is no character nothing is known.
      inner: !isEdge && before !== 3 && after !== 3,
    };
  }
}
