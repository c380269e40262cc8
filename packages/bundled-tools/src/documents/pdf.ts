import { bundledErrors } from "../errors.js";
import { runApart } from "./run-apart.js";

/** A long document takes seconds; a hostile one would take this. */
export const maxConversionMs = 20_000;

/**
 * Reads the text of a PDF, page by page. What is only a picture of text has none.
 *
 * @param data - The file.
 * @param options - Ends the work.
 * @returns The text, each page headed by its number.
 * @throws {PosternError} `CONVERSION_FAILED`, `CANCELLED`
 */
export async function readPdfText(
  data: Uint8Array,
  options: { readonly signal?: AbortSignal } = {},
): Promise<string> {
  const signal = options.signal ?? new AbortController().signal;
  return readInThread("PDF", { data, signal });
}

/** A document that is not text itself, and who may end the work on it. */
export interface BinaryDocument {
  readonly data: Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Reads a PDF or DOCX file as text, in a process of its own.
 *
 * @throws {PosternError} `CONVERSION_FAILED`, `CANCELLED`
 */
export async function readInThread(
  kind: "PDF" | "DOCX",
  { data, signal }: BinaryDocument,
): Promise<string> {
  const { last, problem } = await runApart<string>({
    program: "document-worker.mjs",
    data: { kind, data },
    timeoutMs: maxConversionMs,
    signal,
  });
  if (signal.aborted) throw bundledErrors.CANCELLED();
  if (last === undefined) throw bundledErrors.CONVERSION_FAILED({ what: kind, reason: problem });
  return last;
}
