import { isPosternError, type PosternError } from "@postern/errors";
import type { Tool } from "@postern/tool";
import { z } from "zod";
import { defineBundledTool, toFailed, type Failed } from "../define-bundled-tool.js";
import { bundledErrors } from "../errors.js";
import { findNearby } from "../files/nearby.js";
import type { RootFolder } from "../files/root-folder.js";
import { toFileError } from "../files/to-file-error.js";
import { openForWriting, type WritePlace } from "../files/write-place.js";
import type { Surroundings } from "../surroundings.js";
import { applyEdits, type Edit } from "./apply-edits.js";
import { editErrors } from "./errors.js";
import { toLineDiff } from "./line-diff.js";
import type { PathQueue } from "./path-queue.js";
import { saveContent } from "./save-text.js";
import { isWholeText, readSource, toBytes, toLf } from "./source-text.js";
import { readBefore } from "./write-file.js";

const description = `Replaces exact text in an existing file, and answers with a unified diff.

Use this tool to change a part of a file. Use when the text to replace is known from reading the file. Do not use for new files or whole rewrites (use the file writing tool).

\`old_string\` must fit exactly one place, or set \`replace_all\`; add surrounding lines until it does. If it is not there exactly, places that differ only in blanks or a few words are tried, and \`matcher\` says how it was found. Several changes go into \`edits\`, applied in order, all or none. Mode, line endings and byte order mark stay. Read with "line_numbers": false to copy text.

Example: {"path": "src/a.ts", "old_string": "const limit = 3;", "new_string": "const limit = 5;"}`;

const oldString = z.string().describe("The text to replace, as it stands in the file.");
const newString = z.string().describe("What to put in its place; empty to delete.");
const replaceAll = z.boolean().default(false).describe("Replace every place, and not one.");

const input = z.strictObject({
  path: z.string().min(1).describe("The file, relative to the project."),
  old_string: oldString.optional(),
  new_string: newString.optional(),
  replace_all: replaceAll,
  edits: z
    .array(
      z.strictObject({ old_string: oldString, new_string: newString, replace_all: replaceAll }),
    )
    .max(100)
    .default([])
    .describe("Several replacements at once, in place of old_string and new_string."),
});

type Input = z.output<typeof input>;

const output = z.strictObject({
  path: z.string(),
  replacements: z.int().describe("How many places were replaced."),
  additions: z.int().describe("Lines that are new."),
  deletions: z.int().describe("Lines that are gone."),
  matcher: z
    .string()
    .describe("How the place was found; for several edits, each one's, separated by commas."),
  diff: z.string().describe("Unified diff, cut at 20,000 characters."),
  note: z.string().describe("What is worth knowing about this answer; else empty."),
  nearby: z.array(z.string()).describe("For a missing file: what is there instead."),
});

type Fields = z.input<typeof output>;

const empty: Fields = {
  path: "",
  replacements: 0,
  additions: 0,
  deletions: 0,
  matcher: "",
  diff: "",
  note: "",
  nearby: [],
};

/**
 * Makes the tool `edit_file`.
 *
 * @param surroundings - The containment, for whom it works, and what keeps work on one file in order.
 * @returns The tool.
 */
export function editFileTool({
  root,
  guard,
  queue,
}: Surroundings & { readonly queue: PathQueue }): Tool {
  return defineBundledTool(
    {
      name: "edit_file",
      title: "Edit a file",
      description,
      input,
      output,
      empty,
      tags: ["local", "files"],
      checkpaths: ["path"],
      annotations: { destructiveHint: true },
      async run(request) {
        const { path } = request;
        try {
          const edits = toEdits(request);
          await using seen = await openExisting(root, path);
          return await queue.run(seen.realPath, async () => {
            await using place = await openExisting(root, path);
            return await editContent(place, edits, path);
          });
        } catch (error) {
          return toEditFailure(root, path, toFileError(error, path));
        }
      },
    },
    guard,
  );
}

function toEdits(request: Input): readonly Edit[] {
  const { old_string: old, new_string: fresh, edits } = request;
  const hasPair = old !== undefined && fresh !== undefined;
  const hasHalf = old !== undefined || fresh !== undefined;
  if (hasPair === edits.length > 0 || (hasHalf && !hasPair)) throw editErrors.EDIT_INCOMPLETE();
  const listed = hasPair
    ? [{ old_string: old, new_string: fresh, replace_all: request.replace_all }]
    : edits;
  const isWhole = listed.every(({ new_string: text }) => isWholeText(text));
  if (!isWhole) throw editErrors.INVALID_TEXT();
  return listed.map((edit) => ({
    oldString: edit.old_string,
    newString: edit.new_string,
    replaceAll: edit.replace_all,
  }));
}

/** Only an existing file is edited, and nothing is made on the way to a missing one. */
async function openExisting(root: RootFolder, path: string): Promise<WritePlace> {
  await (await root.openPlace(path))[Symbol.asyncDispose]();
  return openForWriting(root, path);
}

async function editContent(
  place: WritePlace,
  edits: readonly Edit[],
  path: string,
): Promise<Fields> {
  const before = (await readBefore(place, path)) ?? Buffer.alloc(0);
  const source = readSource(before, path);
  const edited = applyEdits(source, edits, path);
  if (isPosternError(edited)) throw edited;
  await saveContent(place, { before, content: toBytes(edited.raw, source.hasBom) }, path);
  return {
    ...empty,
    path,
    replacements: edited.replacements,
    matcher: edited.matchers.join(", "),
    ...toLineDiff(path, source.text, toLf(edited.raw)),
    note: toNote(edited.matchers),
  };
}

function toNote(matchers: readonly string[]): string {
  return matchers.every((matcher) => matcher === "exact")
    ? ""
    : "old_string was not there exactly; look at the diff.";
}

async function toEditFailure(
  root: RootFolder,
  path: string,
  error: PosternError,
): Promise<Failed<Fields>> {
  const isMissing =
    isPosternError(error, bundledErrors) &&
    (error.code === "PATH_NOT_FOUND" || error.code === "NOT_A_FILE");
  const around = isMissing ? await findNearby(root, path) : {};
  return toFailed(error, { ...empty, path, ...around });
}
