import { bundledErrors } from "../errors.js";
import { runApart } from "./run-apart.js";

/** A page as Markdown. */
export interface Converted {
  readonly markdown: string;
  /** Whether it had to be reduced to its plain text. */
  readonly isPlain: boolean;
}

/** How long a page may be worked on, and who may end it. */
export interface ConvertLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An honest page takes a second; a hostile one would take this. */
const maxConvertMs = 10_000;

/**
 * Converts HTML to Markdown in a process of its own, so that no page can keep this one busy or end it.
 *
 * @param html - The page.
 * @param url - Where it came from, for its links.
 * @param limits - Time, at most ten seconds.
 * @returns The article or else the whole page; its plain text when that is all that can be had in time.
 * @throws {PosternError} `CONVERSION_FAILED`, `CANCELLED`
 */
export async function convertHtml(
  html: string,
  url: string,
  limits: ConvertLimits,
): Promise<Converted> {
  const { last, problem } = await runApart<Converted>({
    program: "html-worker.mjs",
    data: { html, url },
    timeoutMs: Math.min(limits.timeoutMs, maxConvertMs),
    signal: limits.signal,
  });
  if (limits.signal.aborted) throw bundledErrors.CANCELLED();
  // A reader that broke or was stuck has given something before, and that counts.
  if (last === undefined) throw bundledErrors.CONVERSION_FAILED({ what: "HTML", reason: problem });
  return last;
}
