import { join } from "node:path";
import type { Tool } from "@postern/tool";
import { z } from "zod";
import { defineBundledTool } from "../define-bundled-tool.js";
import { toFileError } from "../files/to-file-error.js";
import type { RootFolder } from "../files/root-folder.js";
import { createPacer, type Pacer } from "../pacer.js";
import type { Surroundings } from "../surroundings.js";
import { readLines } from "./file-lines.js";
import { readChunks } from "./read-chunks.js";
import { toHunks, type Hunk, type LineSource } from "./hunks.js";
import type { LineMatcher } from "./line-matcher.js";
import {
  comparePaths,
  maxFileBytes,
  type FileMatches,
  type Found,
  type SearchBackend,
} from "./search-backend.js";
import {
  byWanted,
  findSearchPlace,
  toBase,
  toSearchNote,
  withSearchTimeout,
  type SearchPlace,
} from "./search-place.js";

const description = `Searches the content of files with a regular expression, and shows the lines around each match.

Use this tool to find where something is said, named or used. Use when the text is known but not the file. Do not use for finding files by name (use the file finding tool) or for reading a known file.

\`pattern\` has RE2 syntax (no look-around, no back references), line by line. \`path\` is a directory or one file. \`include\` and \`exclude\` are globs, such as "*.ts" or "src/**/*.py". Binary files, .git, node_modules and what .gitignore names are left out. When \`truncated\` is true, \`match_count\` says how many matches there are in all.

Example: {"pattern": "TODO|FIXME", "path": "src", "include": "*.ts *.tsx"}`;

const input = z.strictObject({
  pattern: z.string().min(1).max(10_000).describe("The regular expression, in RE2 syntax."),
  path: z.string().min(1).default(".").describe("The directory or file, relative to the project."),
  include: z
    .string()
    .max(2_000)
    .nullable()
    .default(null)
    .describe("Only files that fit one of these globs."),
  exclude: z
    .string()
    .max(2_000)
    .nullable()
    .default(null)
    .describe("No file that fits one of these globs."),
  case_sensitive: z.boolean().default(true),
  include_ignored: z.boolean().default(false).describe("Also what .gitignore leaves out."),
  include_sensitive: z.boolean().default(false).describe("Also files that usually hold secrets."),
  context_lines: z.int().min(0).max(7).default(2).describe("Lines to show around each match."),
  max_results: z.int().min(1).max(1_000).default(100).describe("Most matching lines to show."),
});

type Input = z.output<typeof input>;

const output = z.strictObject({
  pattern: z.string(),
  path: z.string(),
  files: z.array(
    z.strictObject({
      path: z.string().describe("Can be passed on to the other tools as it is."),
      hunks: z.array(
        z.strictObject({
          start: z.int(),
          end: z.int(),
          lines: z.array(z.strictObject({ n: z.int(), text: z.string(), match: z.boolean() })),
        }),
      ),
    }),
  ),
  match_count: z.int().describe("Matching lines in all, shown or not."),
  shown_count: z.int().describe("Matching lines that are shown."),
  files_scanned: z.int().nullable().describe("Files that were looked at, where that is known."),
  truncated: z.boolean().describe("There are more matches than are shown."),
  note: z.string().describe("What is worth knowing about this answer; else empty."),
});

type Fields = z.input<typeof output>;

const empty: Fields = {
  pattern: "",
  path: "",
  files: [],
  match_count: 0,
  shown_count: 0,
  files_scanned: null,
  truncated: false,
  note: "",
};

/** Characters of all lines that are shown: what a model can take in at once. */
const maxShownChars = 100_000;

/** Files that are read together. */
const readAhead = 16;

/**
 * Makes the tool `grep`.
 *
 * @param surroundings - The containment, for whom it works, and what finds the lines.
 * @returns The tool.
 */
export function grepTool(surroundings: Surroundings & { readonly backend: SearchBackend }): Tool {
  const { guard } = surroundings;
  return defineBundledTool(
    {
      name: "grep",
      title: "Search in files",
      description,
      input,
      output,
      empty,
      tags: ["local", "files"],
      checkpaths: ["path"],
      annotations: { readOnlyHint: true },
      async run(request, { signal }) {
        try {
          // Loaded at the first use: a server that is only listed needs no engine.
          const { createLineMatcher } = await import("./line-matcher.js");
          const matcher = createLineMatcher(request.pattern, request.case_sensitive);
          const place = await findSearchPlace(surroundings, request.path);
          return await withSearchTimeout(signal, async (limited) => {
            const found = await findMatches(surroundings, { request, place, signal: limited });
            const pacer = createPacer(limited);
            const reader = {
              root: surroundings.root,
              place,
              matcher,
              request,
              pacer,
              signal: limited,
            };
            return await toAnswer(found, reader);
          });
        } catch (error) {
          throw toFileError(error, request.path);
        }
      },
    },
    guard,
  );
}

interface Search {
  readonly request: Input;
  readonly place: SearchPlace;
  readonly signal: AbortSignal;
}

async function findMatches(
  { root, env, backend }: Surroundings & { readonly backend: SearchBackend },
  { request, place, signal }: Search,
): Promise<Found<FileMatches>> {
  const { include, exclude, include_sensitive: includeSensitive } = request;
  const base = toBase(await root.resolve("."), place.directory);
  return backend.findMatches({
    directory: place.directory,
    ...(place.file === undefined ? {} : { file: place.file }),
    accepts: byWanted({ include, exclude, includeSensitive }, { env, base }),
    includeIgnored: request.include_ignored,
    pattern: request.pattern,
    caseSensitive: request.case_sensitive,
    maxLinesPerFile: request.max_results,
    signal,
  });
}

interface Reader {
  readonly root: RootFolder;
  readonly place: SearchPlace;
  readonly matcher: LineMatcher;
  readonly request: Input;
  readonly pacer: Pacer;
  readonly signal: AbortSignal;
}

async function toAnswer(found: Found<FileMatches>, reader: Reader): Promise<Fields> {
  const { request } = reader;
  const ahead = new Map<FileMatches, ReturnType<typeof readSource>>();
  const sorted = found.items.toSorted((a, b) => comparePaths(a.path, b.path));
  const files: Fields["files"] = [];
  let [matchCount, shownCount, chars] = [0, 0, 0];
  for (let at = 0; at < sorted.length; at += 1) {
    const item = sorted[at];
    const left = request.max_results - shownCount;
    if (item === undefined || left <= 0 || chars >= maxShownChars) {
      matchCount += item?.count ?? 0;
      continue;
    }
    // Some are read ahead: one after the other they would take as long as the search.
    if (at % readAhead === 0)
      for (const next of sorted.slice(at, Math.min(at + readAhead, at + left)))
        ahead.set(next, readSource(next, reader, maxAheadBytes));
    const early = await (ahead.get(item) ?? "later");
    const source = early === "later" ? await readSource(item, reader, maxFileBytes) : early;
    ahead.delete(item);
    // Binary after all, or gone since.
    if (source === undefined || source === "later") continue;
    matchCount += item.count;
    const hunks = toHunks(item.lines.slice(0, left), request.context_lines, source);
    const cut = toWithin(hunks, maxShownChars - chars);
    chars += cut.chars;
    shownCount += cut.matches;
    if (cut.hunks.length > 0)
      files.push({ path: reader.place.toShown(item.path), hunks: cut.hunks });
  }
  return {
    pattern: request.pattern,
    path: request.path,
    files,
    match_count: matchCount,
    shown_count: shownCount,
    files_scanned: found.filesScanned,
    truncated: shownCount < matchCount,
    note: toSearchNote(found.unreadable, {
      includeSensitive: request.include_sensitive,
      more:
        shownCount < matchCount
          ? `${matchCount - shownCount} more matching lines are not shown: narrow the pattern or the path.`
          : "",
    }),
  };
}

/** Larger files are read one at a time, when it is their turn: sixteen of the largest would fill the memory. */
const maxAheadBytes = 1024 * 1024;

/** Reads the lines through the containment: a link that was put in a file's place since is not followed out. */
async function readSource(
  { path, lines }: FileMatches,
  reader: Reader,
  maxBytes: number,
): Promise<LineSource | "later" | undefined> {
  const { root, place: from, matcher, pacer, request, signal } = reader;
  const matches = lines.slice(0, request.max_results);
  const wanted = { matches, contextLines: request.context_lines, matcher, pacer };
  try {
    await using place = await root.openPlace(join(from.directory, path));
    if (!place.stats.isFile() || place.stats.size > maxFileBytes) return undefined;
    if (place.stats.size > maxBytes) return "later";
    const file = await place.openContent();
    try {
      return await readLines(readChunks(file, place.stats.size), wanted);
    } finally {
      await file.close();
    }
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

interface Cut {
  readonly hunks: {
    start: number;
    end: number;
    lines: { n: number; text: string; match: boolean }[];
  }[];
  readonly chars: number;
  readonly matches: number;
}

/** Whole lines, as long as they fit. */
function toWithin(hunks: readonly Hunk[], maxChars: number): Cut {
  const kept: Cut["hunks"] = [];
  let [chars, matches] = [0, 0];
  for (const hunk of hunks) {
    const lines: { n: number; text: string; match: boolean }[] = [];
    for (const line of hunk.lines) {
      if (chars + line.text.length > maxChars) break;
      chars += line.text.length;
      if (line.match) matches += 1;
      lines.push({ ...line });
    }
    const end = lines.at(-1)?.n;
    if (end !== undefined) kept.push({ start: hunk.start, end, lines });
    if (lines.length < hunk.lines.length) return { hunks: kept, chars: maxChars, matches };
  }
  return { hunks: kept, chars, matches };
}
