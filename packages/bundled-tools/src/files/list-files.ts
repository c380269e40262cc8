import { join } from "node:path";
import type { Tool } from "@postern/tool";
import { z } from "zod";
import { defineBundledTool } from "../define-bundled-tool.js";
import { bundledErrors, toQuoted } from "../errors.js";
import { listTree, type Entry, type EntryType, type Tree } from "./list-tree.js";
import { byNamePattern } from "./name-pattern.js";
import { toPath } from "./to-path.js";
import type { Place } from "./place.js";
import type { Surroundings } from "../surroundings.js";
import type { RootFolder } from "./root-folder.js";
import { toFileError } from "./to-file-error.js";

const description = `Lists the files and directories in a directory, with type, size and modification time.

Use this tool to see what exists before reading or searching. Use when the layout of a project, or the exact name of a file, is not known. Do not use for reading file content (use the file reading tool) or for searching in content.

\`pattern\` filters by entry name only, for example "*.ts *.md". \`recursive\` also lists the directories below, \`max_depth\` levels deep. Links are listed as "link" and never followed. When the filter matches nothing, everything is listed and \`note\` says so; when \`truncated\` is true there are more entries than \`max_results\`.

Example: {"path": "src", "pattern": "*.ts", "recursive": true}`;

const input = z.strictObject({
  path: z.string().min(1).default(".").describe("The directory, relative to the project."),
  max_depth: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .default(null)
    .describe("With recursive: how many levels; 1 is the directory itself, null is all."),
  pattern: z.string().max(500).default("*").describe("Globs for the name, separated by spaces."),
  include_files: z.boolean().default(true),
  include_directories: z.boolean().default(true),
  recursive: z.boolean().default(false).describe("Also list the directories below."),
  max_results: z.int().min(1).max(10_000).default(100),
});

type Input = z.output<typeof input>;

const output = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string().describe("Can be passed on to the other tools as it is."),
        type: z.enum(["file", "directory", "link", "other"]),
        "modified time": z.number().describe("Seconds since 1970."),
        size: z.number().describe("Bytes."),
      }),
    )
    .describe("Sorted by name; what is in a directory comes right after it."),
  truncated: z.boolean().describe("There are more than max_results."),
  note: z.string().describe("What is worth knowing about this answer; else empty."),
});

type Fields = z.input<typeof output>;

/**
 * Makes the tool `list_files`.
 *
 * @param surroundings - The containment, and for whom it works.
 * @returns The tool.
 */
export function listFilesTool({ root, guard }: Surroundings): Tool {
  return defineBundledTool(
    {
      name: "list_files",
      title: "List files",
      description,
      input,
      output,
      empty: { files: [], truncated: false, note: "" },
      tags: ["local", "files"],
      checkpaths: ["path"],
      annotations: { readOnlyHint: true },
      async run(request, { signal }) {
        try {
          await using top = await openDirectory(root, request.path);
          return await listPlace(root, top, { request, signal });
        } catch (error) {
          if (signal.aborted) throw bundledErrors.CANCELLED();
          throw toFileError(error, request.path);
        }
      },
    },
    guard,
  );
}

async function openDirectory(root: RootFolder, path: string): Promise<Place> {
  const place = await root.openPlace(path);
  if (place.stats.isDirectory()) return place;
  await place[Symbol.asyncDispose]();
  throw bundledErrors.NOT_A_DIRECTORY({ path });
}

interface Listing {
  readonly request: Input;
  readonly signal: AbortSignal;
}

const acceptAll = (): boolean => true;

async function listPlace(root: RootFolder, top: Place, listing: Listing): Promise<Fields> {
  const { request, signal } = listing;
  const isNamed = byNamePattern(request.pattern);
  const shape = {
    maxDepth: request.recursive ? (request.max_depth ?? Number.POSITIVE_INFINITY) : 1,
    maxEntries: request.max_results,
    signal,
  };
  const wanted = await listTree(root, top, {
    ...shape,
    accepts: (name, type) => isNamed(name) && isIncluded(type, request),
  });
  const all =
    wanted.entries.length > 0
      ? wanted
      : await listTree(root, top, { ...shape, accepts: acceptAll });
  // Names below a file: URL would have to be encoded.
  const directory = toPath(request.path);
  return {
    files: all.entries.map((entry) => toListed(entry, directory)),
    truncated: all.truncated,
    note: toNote(request, { wanted, all }),
  };
}

/** A link is always listed, whatever it leads to: telling would mean following it. */
function isIncluded(type: EntryType, request: Input): boolean {
  if (type === "link") return true;
  return type === "directory" ? request.include_directories : request.include_files;
}

function toListed({ path, type, stats }: Entry, directory: string): Fields["files"][number] {
  return {
    path: join(directory, path),
    type,
    "modified time": stats.mtimeMs / 1000,
    size: stats.size,
  };
}

function toNote(request: Input, { wanted, all }: { wanted: Tree; all: Tree }): string {
  const { pattern, include_files, include_directories } = request;
  const notes = [
    wanted !== all && all.entries.length > 0
      ? `Nothing matched the filter (pattern ${JSON.stringify(pattern)}, include_files ${include_files}, include_directories ${include_directories}), so everything is listed.`
      : "",
    request.max_depth !== null && !request.recursive
      ? "max_depth counts only together with recursive."
      : "",
    toSkippedNote(all.skipped),
  ];
  return notes.filter((note) => note !== "").join(" ");
}

function toSkippedNote(skipped: readonly string[]): string {
  if (skipped.length === 0) return "";
  const named = skipped.slice(0, 5).map(toQuoted).join(", ");
  const more = skipped.length > 5 ? ` and ${skipped.length - 5} more` : "";
  return `Could not be looked into: ${named}${more}.`;
}
