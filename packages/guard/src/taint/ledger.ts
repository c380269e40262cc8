import type { Listing } from "@postern/tool";
import { findLeaves } from "./call-shape.js";
import { findDecodedTexts } from "./decoded-texts.js";
import { toNormal } from "./normal-text.js";
import { SnippetIndex } from "./snippet-index.js";
import { maySamePath, toPlainPath } from "./tainted-files.js";

/** Bounds of a ledger's memory. */
export interface TaintLedgerOptions {
  /** Characters remembered of each conversation, of untrusted and of local text each. Default: 4 Mi. */
  readonly maxCharacters?: number;
  /** Conversations remembered. Default: 64. */
  readonly maxConversations?: number;
}

/**
 * What is known of untrusted text, by conversation. Shared by the interceptors of a fan-out, it sees what one worker read
 * and another uses. What is evicted is never forgotten to be untrusted: such a conversation asks about every exec, write
 * and send from then on.
 */
export interface TaintLedger {
  /**
   * Takes the names' descriptions and schemas for untrusted text, in every conversation.
   *
   * @param listings - Listings of servers other than ours.
   */
  addListings(listings: readonly Listing[]): void;
}

const maxReferences = 10_000;
const maxFiles = 5_000;
const maxDone = 10_000;
const maxValues = 20_000;
const maxEvicted = 10_000;
const url = /\b(?:https?|wss?|ftp|ssh|git):\/\/[^\s"'`<>()[\]{}|\\^]+/gi;
/** What a developer's own machine serves. */
const ownMachine = /^[a-z]+:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/]|$)/i;
const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/**
 * Finds the URLs and mail addresses in a text, written so that spellings of one are equal.
 *
 * @param text - The text.
 * @returns URLs without query and fragment, and addresses, in lower case.
 */
export function findReferences(text: string): readonly string[] {
  const urls = text.includes("://") ? (text.match(url) ?? []) : [];
  const addresses = text.includes("@") ? (text.match(address) ?? []) : [];
  return [
    ...urls
      .filter((each) => !ownMachine.test(each))
      .map((each) => each.replace(/[?#].*$/s, "").replace(/[/.,;:!]+$/, "")),
    ...addresses,
  ].map((each) => each.toLowerCase());
}

/** What one conversation has read. */
export class Conversation {
  readonly untrusted: SnippetIndex;
  readonly local: SnippetIndex;
  /** Which worker read a document of `untrusted`. */
  readonly workers: string[] = [];
  /** Documents that came out of an encoding. */
  readonly decoded = new Set<number>();
  /** Addresses that untrusted text named, with the worker that read it. */
  readonly references = new Map<string, string>();
  /** Addresses that untrusted text came from. */
  readonly sources = new Map<string, string>();
  /** Values shorter than a snippet, whole, with the worker that read them. */
  readonly values = new Map<string, string>();
  readonly files = new Set<string>();
  readonly done = new Set<string>();
  /** Something untrusted was read. */
  isArmed = false;
  /** Something was dropped: anything may be untrusted. */
  isEvicted: boolean;

  constructor(maxCharacters: number, isEvicted: boolean) {
    this.untrusted = new SnippetIndex(maxCharacters);
    this.local = new SnippetIndex(maxCharacters);
    this.isEvicted = isEvicted;
    this.isArmed = isEvicted;
  }

  /**
   * Remembers untrusted text, its references, and what it says in other encodings.
   *
   * @param texts - The strings of a result.
   * @param read - Which worker read them, and the addresses that its own call named: to hear them again says nothing new.
   */
  addUntrusted(
    texts: readonly string[],
    { worker, named }: { readonly worker: string; readonly named: readonly string[] },
  ): void {
    this.isArmed = true;
    const whole = texts.join("\n");
    this.#addDocument(whole, worker, false);
    for (const each of findDecodedTexts(whole)) this.#addDocument(each, worker, true);
    for (const text of texts) if (text.length < 200) this.values.set(toNormal(text).trim(), worker);
    for (const each of findReferences(whole))
      if (!named.includes(each)) this.references.set(each, worker);
    this.#bound();
  }

  /** Remembers the addresses that untrusted text came from. */
  addSources(named: readonly string[], worker: string): void {
    for (const each of named) this.sources.set(each, worker);
    this.#bound();
  }

  addLocal(texts: readonly string[]): void {
    this.local.add(toNormal(texts.join("\n")));
  }

  addFiles(paths: readonly string[]): void {
    for (const path of paths) this.files.add(toPlainPath(path));
    this.files.delete("");
    this.isEvicted ||= this.files.size > maxFiles;
    if (this.isEvicted) this.files.clear();
  }

  isTaintedFile(plainPath: string): boolean {
    if (this.files.size === 0) return false;
    if (this.files.has(plainPath)) return true;
    for (const file of this.files) if (maySamePath(file, plainPath)) return true;
    return false;
  }

  /** Remembers a side effect; beyond the cap the oldest is forgotten. */
  addDone(key: string): void {
    this.done.add(key);
    const oldest = this.done.values().next();
    if (this.done.size > maxDone && oldest.done !== true) this.done.delete(oldest.value);
  }

  #addDocument(text: string, worker: string, isDecoded: boolean): void {
    const document = this.untrusted.add(toNormal(text));
    if (document < 0) return;
    this.workers[document] = worker;
    if (isDecoded) this.decoded.add(document);
  }

  #bound(): void {
    const isOver =
      this.references.size > maxReferences ||
      this.sources.size > maxReferences ||
      this.values.size > maxValues;
    this.isEvicted ||= this.untrusted.overflown || isOver;
    if (!this.isEvicted) return;
    for (const kept of [this.references, this.sources, this.values]) kept.clear();
  }
}

/** The ledger with what interceptors need of it. */
export class Ledger implements TaintLedger {
  readonly #maxCharacters: number;
  readonly #maxConversations: number;
  readonly #conversations = new Map<string, Conversation>();
  readonly #evicted = new Set<string>();
  readonly #seen = new WeakSet<Listing>();
  /** Descriptions; when they overflow, no description can be told from other text. */
  readonly descriptions: SnippetIndex;
  readonly descriptionReferences = new Set<string>();

  constructor(options: TaintLedgerOptions) {
    this.#maxCharacters = options.maxCharacters ?? 4 * 1_024 * 1_024;
    this.#maxConversations = options.maxConversations ?? 64;
    this.descriptions = new SnippetIndex(this.#maxCharacters);
  }

  addListings(listings: readonly Listing[]): void {
    for (const listing of listings) {
      if (this.#seen.has(listing)) continue;
      this.#seen.add(listing);
      const text = findLeaves(listing.raw)
        .map((leaf) => leaf.text)
        .join("\n");
      for (const each of [text, ...findDecodedTexts(text)]) this.descriptions.add(toNormal(each));
      for (const reference of findReferences(text)) this.descriptionReferences.add(reference);
    }
  }

  /** The conversation of a key; the one unused for longest gives way, and comes back as evicted. */
  open(key: string): Conversation {
    const isForgotten = this.#evicted.has(key) || this.#evicted.size >= maxEvicted;
    const conversation =
      this.#conversations.get(key) ?? new Conversation(this.#maxCharacters, isForgotten);
    this.#conversations.delete(key);
    this.#conversations.set(key, conversation);
    for (const [oldest, { isArmed }] of this.#conversations) {
      if (this.#conversations.size <= this.#maxConversations) break;
      this.#conversations.delete(oldest);
      if (isArmed && this.#evicted.size < maxEvicted) this.#evicted.add(oldest);
    }
    return conversation;
  }
}

/**
 * Makes a ledger, to be given to every interceptor of a fan-out.
 *
 * @param options - Bounds of its memory.
 * @returns The ledger.
 */
export function createTaintLedger(options: TaintLedgerOptions = {}): TaintLedger {
  return new Ledger(options);
}
