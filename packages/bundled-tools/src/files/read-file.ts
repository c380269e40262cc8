import { isPosternError, type PosternError } from "@postern/errors";
import type { Tool } from "@postern/tool";
import { z } from "zod";
import { defineBundledTool, toFailed, type Failed } from "../define-bundled-tool.js";
import { bundledErrors } from "../errors.js";
import type { Surroundings } from "../surroundings.js";
import { createDocumentCache, type DocumentCache } from "../documents/document-cache.js";
import { findDocumentKind, readDocument } from "../documents/read-document.js";
import { createLandmarks, type Landmarks } from "./landmarks.js";
import { findNearby } from "./nearby.js";
import { PageCollector, type Page, type PageRequest } from "./page.js";
import type { Place } from "./place.js";
import { readText } from "./read-text.js";
import type { RootFolder } from "./root-folder.js";
import { toFileError } from "./to-file-error.js";

/** Characters of one page: what a model can take in at once. Not for the caller to choose. */
const pageChars = 20_000;

const description = `Reads a text file, or a part of it, with line numbers; PDF, Word and HTML files and notebooks as text.

Use this tool to look into a file whose path is known. Use when the content is needed to answer, or before editing; pass "line_numbers": false to copy text exactly. Do not use for finding files (use the file listing tool) or for searching a large file (use the content search tool, if there is one).

A page ends after \`limit\` lines or about 20,000 characters. When \`truncated\` is true, call again with \`next_offset\` as \`offset\` and \`next_char_offset\` as \`char_offset\`. \`total_lines\` is given once the end is reached. When there is no such file, \`nearby\` names what is there instead.

Example: {"path": "src/index.ts", "offset": 501}`;

const input = z.strictObject({
  path: z.string().min(1).default(".").describe("The file, relative to the project."),
  offset: z.int().min(1).default(1).describe("The first line to read, from 1."),
  char_offset: z
    .int()
    .min(0)
    .default(0)
    .describe("Characters of the first line to leave out, for a line longer than a page."),
  limit: z
    .int()
    // Said to be the least, but a model that asks for 0 gets a line, and not an error.
    .meta({ minimum: 1 })
    .nullable()
    .default(500)
    .describe("Most lines to read; null reads on to the end, page by page."),
  raw: z
    .boolean()
    .default(false)
    .describe("Read HTML files and notebooks as they are, as editing needs, and not as text."),
  line_numbers: z.boolean().default(true).describe('Begin each line with its number: "12: text".'),
});

type Input = z.output<typeof input>;

const output = z.strictObject({
  path: z.string(),
  content: z.string(),
  line_start: z.int().describe("The first line of this page."),
  line_end: z.int().describe("The last line of this page; below line_start for none."),
  total_lines: z.int().nullable().describe("Null until the end of the file was seen."),
  truncated: z.boolean().describe("There is more; go on with next_offset."),
  next_offset: z.int().nullable(),
  next_char_offset: z.int(),
  note: z.string().describe("What is worth knowing about this answer; else empty."),
  nearby: z.array(z.string()).describe("For a missing file: what is there instead."),
});

type Fields = z.input<typeof output>;

const empty: Fields = {
  path: "",
  content: "",
  line_start: 1,
  line_end: 0,
  total_lines: null,
  truncated: false,
  next_offset: null,
  next_char_offset: 0,
  note: "",
  nearby: [],
};

/**
 * Makes the tool `read_file`.
 *
 * @param surroundings - The containment, and for whom it works.
 * @returns The tool.
 */
export function readFileTool({ root, guard }: Surroundings): Tool {
  const landmarks = createLandmarks();
  const documents = createDocumentCache();
  return defineBundledTool(
    {
      name: "read_file",
      title: "Read a file",
      description,
      input,
      output,
      empty,
      tags: ["local", "files"],
      checkpaths: ["path"],
      annotations: { readOnlyHint: true },
      async run(request, { signal }) {
        try {
          await using place = await root.openPlace(request.path);
          return await readPage(place, { request, signal, landmarks, documents });
        } catch (error) {
          return toReadFailure(root, request, toFileError(error, request.path));
        }
      },
    },
    guard,
  );
}

interface Reading {
  readonly request: Input;
  readonly signal: AbortSignal;
  readonly landmarks: Landmarks;
  readonly documents: DocumentCache;
}

async function readPage(place: Place, reading: Reading): Promise<Fields> {
  const { path, raw } = reading.request;
  if (!place.stats.isFile()) throw bundledErrors.NOT_A_FILE({ path, found: toKind(place) });
  const kind = findDocumentKind(path);
  const isBinary = kind === "PDF" || kind === "DOCX";
  return kind === undefined || (raw && !isBinary)
    ? readTextPage(place, reading)
    : readDocumentPage(place, kind, reading);
}

async function readDocumentPage(
  place: Place,
  kind: string,
  { request, signal, documents }: Reading,
): Promise<Fields> {
  const { path } = request;
  const { text } = await documents.read(place, () => readDocument(place, kind, { path, signal }));
  const collector = new PageCollector(toPageRequest(request));
  const isCut = collector.push(Buffer.from(text), 0);
  const answer = toAnswer(request, collector.finish(!isCut), false);
  const hint = kind === "PDF" || kind === "DOCX" ? "" : ' "raw": true gives the file as it is.';
  return { ...answer, note: `This is the ${kind} as text.${hint} ${answer.note}`.trim() };
}

async function readTextPage(
  place: Place,
  { request, signal, landmarks }: Reading,
): Promise<Fields> {
  const { path } = request;
  const file = await place.openContent();
  try {
    const from = landmarks.find(place, request.offset);
    const collector = new PageCollector(toPageRequest(request), from);
    const visit = (chunk: Buffer, position: number): boolean => collector.push(chunk, position);
    const end = await readText(file, { path, signal, visit, start: from.position });
    const page = collector.finish(end.isComplete);
    const hasBom = end.hasBom || from.hasBom;
    landmarks.add(place, page.landmarks, hasBom);
    return toAnswer(request, page, hasBom);
  } finally {
    await file.close();
  }
}

function toPageRequest(request: Input): PageRequest {
  return {
    offset: request.offset,
    charOffset: request.char_offset,
    maxLines: request.limit === null ? Number.POSITIVE_INFINITY : Math.max(request.limit, 1),
    maxChars: pageChars,
    lineNumbers: request.line_numbers,
  };
}

function toKind({ stats }: Place): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}

function toAnswer(request: Input, page: Page, hasBom: boolean): Fields {
  return {
    path: request.path,
    content: page.content,
    line_start: request.offset,
    line_end: page.lineEnd,
    total_lines: page.totalLines,
    truncated: page.next !== null,
    next_offset: page.next?.offset ?? null,
    next_char_offset: page.next?.charOffset ?? 0,
    note: toNotes(request, page, hasBom).join(" "),
    nearby: [],
  };
}

function toNotes(request: Input, page: Page, hasBom: boolean): readonly string[] {
  const notes: string[] = [];
  if (hasBom) notes.push("The file begins with a byte order mark, which is left out.");
  if (/\.[ct]sv$/i.test(request.path))
    notes.push("A record of this file may go over several lines.");
  if (page.totalLines === 0) notes.push("The file is empty.");
  else if (page.totalLines !== null && request.offset > page.totalLines)
    notes.push(`Offset ${request.offset} is past the end: the file has ${page.totalLines} lines.`);
  if (page.shortLineLength !== null)
    notes.push(`Line ${request.offset} has only ${page.shortLineLength} characters.`);
  if (page.next !== null) notes.push(toNextNote(page.next));
  return notes;
}

function toNextNote({ offset, charOffset }: NonNullable<Page["next"]>): string {
  return charOffset > 0
    ? `Line ${offset} is longer than a page: go on with offset ${offset} and char_offset ${charOffset}.`
    : `There is more: go on with offset ${offset}. In a large file a search finds the place faster.`;
}

async function toReadFailure(
  root: RootFolder,
  request: Input,
  error: PosternError,
): Promise<Failed<Fields>> {
  const isMissing =
    isPosternError(error, bundledErrors) &&
    (error.code === "PATH_NOT_FOUND" || error.code === "NOT_A_FILE");
  const around = isMissing ? await findNearby(root, request.path) : { nearby: [], note: "" };
  return toFailed(error, {
    ...empty,
    path: request.path,
    line_start: request.offset,
    line_end: request.offset - 1,
    ...around,
  });
}
