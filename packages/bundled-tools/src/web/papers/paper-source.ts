import type { ReadVariable } from "../../root-user.js";
import type { Fetch } from "../search/lazy-fetch.js";
import type { Paper } from "./paper.js";
import type { Share } from "./share.js";

/** What is looked for. */
export interface PaperQuestion {
  /** Words and phrases, without any syntax: see `parseTerms`. */
  readonly terms: readonly string[];
  readonly maxResults: number;
  readonly env: ReadVariable;
}

/** A service that finds papers. */
export interface PaperSource {
  readonly name: string;
  /** Whether it can be asked; false for one whose key is needed and not set. */
  isAvailable(env: ReadVariable): boolean;
  /**
   * Asks once.
   *
   * @throws {PosternError} `PAPER_SOURCE_FAILED`, `PAPER_SOURCE_LIMITED`
   */
  find(question: PaperQuestion, share: Share): Promise<readonly Paper[]>;
}

/** What a source is made with. */
export interface SourceParts {
  readonly fetch: Fetch;
  /** Where the service is. */
  readonly url: string;
  /** The least time between two requests. */
  readonly intervalMs: number;
}

/** Reads the mail address under which services may reach the owner; undefined when there is none. */
export function findMailto(env: ReadVariable): string | undefined {
  const address = env("POSTERN_MAILTO")?.trim() ?? "";
  return /^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,200}$/.test(address) ? address : undefined;
}
