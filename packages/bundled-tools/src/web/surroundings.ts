import type { Surroundings } from "../surroundings.js";

/** What the tools of the web need beside what all tools share; for tests. */
export interface WebSurroundings extends Surroundings {
  /** All addresses of a name. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** How long to wait before the second attempt; twice as long before the third. Default: 500. */
  readonly backOffMs?: number;
}
