/** Characters of a snippet that is recognised for certain, after normalisation. */
export const snippetLength = 40;
/** Blocks of this length are indexed at every `stride` characters, so that a snippet holds a whole one. */
const blockLength = 20;
const stride = snippetLength - blockLength;
/** In short texts every place is indexed, so that also halves of a snippet are found. */
const shortText = 1_024;
/** Occurrences of one block that are compared; beyond them the block itself counts as found. */
const maxOccurrences = 32;
/** Two million bits. */
const presentWords = 65_536;
const multiplier = 0x01000193;

/** A stretch of a text that is also in the index. */
export interface SnippetMatch {
  /** Where it begins and ends in the text searched. */
  readonly from: number;
  readonly to: number;
  /** The numbers of the documents it is from; two or more where pieces of several are joined. */
  readonly documents: readonly number[];
}

interface Block {
  readonly document: number;
  readonly at: number;
}

/**
 * Remembers normalised texts, and finds stretches of them of {@link snippetLength} characters and more within other texts.
 * Every such stretch is found. Memory is bounded: past `maxCharacters` everything is dropped and the index is
 * `overflown`, which its user must take as "anything may be from there".
 */
export class SnippetIndex {
  readonly #maxCharacters: number;
  #texts: string[] = [];
  #characters = 0;
  #blocks: Block[] = [];
  /** Open addressing: the number of a block plus one, by hash; 0 is free. */
  #slots = new Int32Array(1_024);
  #hashes = new Int32Array(1_024);
  /** Two bits for each hash: most places of most texts end here, in memory that stays near the processor. */
  #present = new Uint32Array(1);
  #overflown = false;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Whether texts were dropped. */
  get overflown(): boolean {
    return this.#overflown;
  }

  /** Whether nothing was ever added. */
  get isEmpty(): boolean {
    return this.#texts.length === 0 && !this.#overflown;
  }

  /**
   * Remembers a text.
   *
   * @param text - The text, normalised.
   * @returns The document's number; -1 when the index is overflown.
   */
  add(text: string): number {
    if (this.#overflown) return -1;
    this.#characters += text.length;
    if (this.#characters > this.#maxCharacters) {
      this.#drop();
      return -1;
    }
    const document = this.#texts.push(text) - 1;
    const step = text.length <= shortText ? 1 : stride;
    for (let at = 0; at + blockLength <= text.length; at += step)
      this.#insert(hashBlock(text, at), { document, at });
    return document;
  }

  /**
   * Finds stretches of remembered texts in a text.
   *
   * @param text - The text, normalised.
   * @param admits - Which documents count. Default: all.
   * @returns Stretches of at least {@link snippetLength} characters, in order, those that touch joined.
   */
  find(text: string, admits: (document: number) => boolean = () => true): readonly SnippetMatch[] {
    if (this.#blocks.length === 0 || text.length < snippetLength) return [];
    const pieces: SnippetMatch[] = [];
    let hash = hashBlock(text, 0);
    let covered = 0;
    const present = this.#present;
    for (let at = 0; ; at += 1) {
      const mixed = mix(hash);
      const bits = toBits(mixed);
      const word = present[mixed & (presentWords - 1)] ?? 0;
      if ((word & bits) === bits && at + blockLength > covered) {
        const piece = this.#findPiece(text, at, { hash, admits });
        if (piece !== undefined) {
          pieces.push(piece);
          covered = Math.max(covered, piece.to);
        }
      }
      if (at + blockLength >= text.length) break;
      hash = roll(hash, text.charCodeAt(at), text.charCodeAt(at + blockLength));
    }
    return join(pieces).filter(({ from, to }) => to - from >= snippetLength);
  }

  #findPiece(
    text: string,
    at: number,
    search: { readonly hash: number; readonly admits: (document: number) => boolean },
  ): SnippetMatch | undefined {
    const mask = this.#slots.length - 1;
    let best: SnippetMatch | undefined;
    let seen = 0;
    for (let slot = mix(search.hash) & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#hashes[slot] !== search.hash) continue;
      const block = this.#blocks[(this.#slots[slot] ?? 0) - 1];
      if (block === undefined || !search.admits(block.document)) continue;
      const piece = extend(this.#texts[block.document] ?? "", block, { text, at });
      if (piece === undefined) continue;
      if (best === undefined || piece.to - piece.from > best.to - best.from) best = piece;
      seen += 1;
    }
    if (best === undefined || seen < maxOccurrences || isMonotone(text, at)) return best;
    return { ...best, from: best.to - Math.max(snippetLength, best.to - best.from) };
  }

  #insert(hash: number, block: Block): void {
    if (this.#blocks.length * 2 >= this.#slots.length) this.#grow();
    const mask = this.#slots.length - 1;
    let same = 0;
    let slot = mix(hash) & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask)
      if (this.#hashes[slot] === hash && ++same >= maxOccurrences) return;
    this.#slots[slot] = this.#blocks.push(block);
    this.#hashes[slot] = hash;
    const mixed = mix(hash);
    if (this.#present.length === 1) this.#present = new Uint32Array(presentWords);
    const word = mixed & (presentWords - 1);
    this.#present[word] = (this.#present[word] ?? 0) | toBits(mixed);
  }

  #grow(): void {
    const [slots, hashes] = [this.#slots, this.#hashes];
    this.#slots = new Int32Array(slots.length * 4);
    this.#hashes = new Int32Array(slots.length * 4);
    const mask = this.#slots.length - 1;
    for (let from = 0; from < slots.length; from += 1) {
      if (slots[from] === 0) continue;
      let slot = mix(hashes[from] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = slots[from] ?? 0;
      this.#hashes[slot] = hashes[from] ?? 0;
    }
  }

  #drop(): void {
    this.#overflown = true;
    this.#texts = [];
    this.#blocks = [];
    this.#slots = new Int32Array(1);
    this.#hashes = new Int32Array(1);
    this.#present = new Uint32Array(1);
  }
}

/** The factor of the character that leaves the window. */
const leaving = Array.from({ length: blockLength - 1 }).reduce<number>(
  (power) => Math.imul(power, multiplier),
  1,
);

function hashBlock(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + blockLength; index += 1)
    hash = (Math.imul(hash, multiplier) + text.charCodeAt(index)) | 0;
  return hash;
}

function roll(hash: number, out: number, next: number): number {
  return (Math.imul((hash - Math.imul(out, leaving)) | 0, multiplier) + next) | 0;
}

function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return once ^ (once >>> 13);
}

function toBits(mixed: number): number {
  return (1 << (mixed >>> 27)) | (1 << ((mixed >>> 22) & 31));
}

/** A block of one or two characters, as of a line in a table: it says nothing by itself. */
function isMonotone(text: string, at: number): boolean {
  return new Set(text.slice(at, at + blockLength)).size <= 3;
}

/** How far the two texts agree around the block; undefined when the block itself differs: hashes collide. */
function extend(
  known: string,
  block: Block,
  { text, at }: { readonly text: string; readonly at: number },
): SnippetMatch | undefined {
  let [from, to] = [0, 0];
  while (to < text.length - at && text[at + to] === known[block.at + to]) to += 1;
  if (to < blockLength) return undefined;
  while (at + from > 0 && block.at + from > 0 && text[at + from - 1] === known[block.at + from - 1])
    from -= 1;
  return { from: at + from, to: at + to, documents: [block.document] };
}

/** Joins pieces that touch or overlap; a blank or two between them is none. */
function join(pieces: readonly SnippetMatch[]): readonly SnippetMatch[] {
  const joined: SnippetMatch[] = [];
  for (const piece of pieces.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last === undefined || piece.from > last.to + 2) joined.push(piece);
    else
      joined[joined.length - 1] = {
        from: last.from,
        to: Math.max(last.to, piece.to),
        documents: [...new Set([...last.documents, ...piece.documents])],
      };
  }
  return joined;
}
