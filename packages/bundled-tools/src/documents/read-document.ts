import { extname } from "node:path";
import { bundledErrors } from "../errors.js";
import { convertHtml } from "./convert-html.js";
import { readText } from "../files/read-text.js";
import type { Place } from "../files/place.js";
import { parseNotebook } from "./notebook.js";
import { maxConversionMs, readInThread } from "./pdf.js";

/** A document as text. */
export interface DocumentText {
  readonly text: string;
  /** What it was: `PDF`, `DOCX`, `HTML` or `notebook`. */
  readonly kind: string;
}

/** What a document is read for. */
export interface DocumentRequest {
  /** As the caller gave it. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Larger documents are not converted. */
const maxDocumentBytes = 50 * 1024 * 1024;

/** Texts are kept for paging, and each page goes through the text from its beginning. */
const maxTextChars = 10_000_000;

const kinds: Readonly<Record<string, string>> = {
  ".pdf": "PDF",
  ".docx": "DOCX",
  ".html": "HTML",
  ".htm": "HTML",
  ".ipynb": "notebook",
};

/** Office formats that nothing here reads; taken as text they would be nonsense. */
const unread: ReadonlySet<string> = new Set([
  ".doc",
  ".xls",
  ".xlsx",
  ".ppt",
  ".pptx",
  ".odt",
  ".ods",
  ".odp",
  ".rtf",
  ".epub",
  ".pages",
  ".numbers",
]);

/**
 * Tells whether a file is read as a document, by its name.
 *
 * @param path - The path.
 * @returns What it is; undefined for plain text.
 * @throws {PosternError} `UNSUPPORTED_DOCUMENT`
 */
export function findDocumentKind(path: string): string | undefined {
  const extension = extname(path).toLowerCase();
  if (unread.has(extension)) throw bundledErrors.UNSUPPORTED_DOCUMENT({ path, extension });
  return Object.hasOwn(kinds, extension) ? kinds[extension] : undefined;
}

/**
 * Reads a document as text.
 *
 * @param place - The file, opened.
 * @param kind - From `findDocumentKind`.
 * @param request - For whom.
 * @throws {PosternError} `CONVERSION_FAILED`, `CANCELLED`, or what reading throws.
 */
export async function readDocument(
  place: Place,
  kind: string,
  request: DocumentRequest,
): Promise<DocumentText> {
  if (place.stats.size > maxDocumentBytes)
    throw bundledErrors.CONVERSION_FAILED({ what: kind, reason: "it is larger than 50 MB" });
  const text = await readAsText(place, kind, request);
  if (text.length <= maxTextChars) return { kind, text };
  return { kind, text: `${text.slice(0, maxTextChars)}\n\n[The rest is left out]` };
}

async function readAsText(place: Place, kind: string, request: DocumentRequest): Promise<string> {
  const { signal } = request;
  if (kind === "HTML" || kind === "notebook") return readSourceAsText(place, kind, request);
  const data = await readBytes(place);
  return readInThread(kind === "PDF" ? "PDF" : "DOCX", { data, signal });
}

async function readBytes(place: Place): Promise<Uint8Array> {
  const file = await place.openContent();
  try {
    return new Uint8Array(await file.readFile());
  } finally {
    await file.close();
  }
}

async function readSourceAsText(
  place: Place,
  kind: "HTML" | "notebook",
  { path, signal }: DocumentRequest,
): Promise<string> {
  const source = await readSource(place, { path, signal });
  if (kind === "HTML") {
    const limits = { timeoutMs: maxConversionMs, signal };
    // Links stay what they are: a file has no address that they could be relative to.
    const { markdown } = await convertHtml(source, "", limits);
    return markdown;
  }
  const text = parseNotebook(source);
  if (text === undefined)
    throw bundledErrors.CONVERSION_FAILED({ what: kind, reason: "it is no notebook of version 4" });
  return text;
}

async function readSource(place: Place, { path, signal }: DocumentRequest): Promise<string> {
  const file = await place.openContent();
  const parts: string[] = [];
  try {
    const visit = (chunk: Buffer): boolean => {
      parts.push(chunk.toString("utf8"));
      return false;
    };
    await readText(file, { path, signal, visit });
  } finally {
    await file.close();
  }
  return parts.join("");
}
