import type { Tool } from "@postern/tool";
import { z } from "zod";
import { defineBundledTool } from "../define-bundled-tool.js";
import { bundledErrors } from "../errors.js";
import { toFileError } from "../files/to-file-error.js";
import type { Surroundings } from "../surroundings.js";
import { byPathPattern } from "./path-glob.js";
import { comparePaths, type SearchBackend } from "./search-backend.js";
import { findSearchPlace, toSearchNote, withSearchTimeout } from "./search-place.js";

const description = `Finds files by name, in a directory and all below it.

Use this tool to find a file whose name, or a part of it, is known. Use when the directory is not. Do not use for searching in content (use the content search tool) or for types and sizes (use the file listing tool).

\`pattern\` is a glob. Without "/" it is about the name, for example "*.test.ts"; with "/" about the path below the directory, for example "src/**/*.ts". .git, node_modules and what .gitignore names are left out. Links are not followed.

Example: {"pattern": "*config*", "path": "packages"}`;

const input = z.strictObject({
  pattern: z.string().min(1).max(2_000).default("*").describe("Globs, separated by spaces."),
  path: z.string().min(1).default(".").describe("The directory, relative to the project."),
  include_ignored: z.boolean().default(false).describe("Also what .gitignore leaves out."),
  max_results: z.int().min(1).max(10_000).default(100),
});

const output = z.strictObject({
  files: z.array(z.string()).describe("Sorted; each can be passed on to the other tools as it is."),
  truncated: z.boolean().describe("There are more than max_results."),
  note: z.string().describe("What is worth knowing about this answer; else empty."),
});

/**
 * Makes the tool `find_files`.
 *
 * @param surroundings - The containment, for whom it works, and what finds the files.
 * @returns The tool.
 */
export function findFilesTool(
  surroundings: Surroundings & { readonly backend: SearchBackend },
): Tool {
  const { guard, backend } = surroundings;
  return defineBundledTool(
    {
      name: "find_files",
      title: "Find files",
      description,
      input,
      output,
      empty: { files: [], truncated: false, note: "" },
      tags: ["local", "files"],
      checkpaths: ["path"],
      annotations: { readOnlyHint: true },
      async run({ path, pattern, include_ignored: includeIgnored, max_results: max }, { signal }) {
        try {
          const place = await findSearchPlace(surroundings, path);
          if (place.file !== undefined) throw bundledErrors.NOT_A_DIRECTORY({ path });
          const { directory } = place;
          const accepts = byPathPattern(pattern);
          const found = await withSearchTimeout(signal, (limited) =>
            backend.findFiles({ directory, accepts, includeIgnored, signal: limited }),
          );
          const sorted = found.items.toSorted(comparePaths);
          const more = sorted.length > max ? `${sorted.length - max} more files fit.` : "";
          return {
            files: sorted.slice(0, max).map((below) => place.toShown(below)),
            truncated: sorted.length > max,
            note: toSearchNote(found.unreadable, { includeSensitive: true, more }),
          };
        } catch (error) {
          throw toFileError(error, path);
        }
      },
    },
    guard,
  );
}
