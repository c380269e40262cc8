import type { Tool } from "@postern/tool";
import { z } from "zod";
import { defineBundledTool } from "../define-bundled-tool.js";
import { toFileError } from "../files/to-file-error.js";
import { openForWriting, type WritePlace } from "../files/write-place.js";
import type { Surroundings } from "../surroundings.js";
import { editErrors } from "./errors.js";
import { toLineDiff, type LineDiff } from "./line-diff.js";
import type { PathQueue } from "./path-queue.js";
import { maxEditBytes, saveContent } from "./save-text.js";
import {
  findEnding,
  isWholeText,
  readSource,
  toBytes,
  toEnding,
  toLf,
  type SourceText,
} from "./source-text.js";

const description = `Writes a whole text file: makes a new one, or replaces all of an existing one.

Use this tool to create a file, or to rewrite a short one completely. Use when most of the content is new. Do not use for changing a part of a file (use the file editing tool) or for saving something from the web (use the download tool).

Missing directories are made. The file appears whole or not at all. An existing file keeps its mode, its byte order mark and the way its lines end; a binary one is refused. The answer has a unified diff.

Example: {"path": "notes/plan.md", "content": "# Plan\\n\\n1. Paint.\\n"}`;

const input = z.strictObject({
  path: z.string().min(1).describe("The file, relative to the project."),
  content: z.string().max(maxEditBytes).describe("The whole text."),
});

const output = z.strictObject({
  path: z.string(),
  created: z.boolean().describe("There was no such file before."),
  bytes_written: z.int().describe("The size of the file now."),
  additions: z.int().describe("Lines that are new."),
  deletions: z.int().describe("Lines that are gone."),
  diff: z.string().describe("Unified diff, cut at 20,000 characters."),
});

const empty = {
  path: "",
  created: false,
  bytes_written: 0,
  additions: 0,
  deletions: 0,
  diff: "",
};

/**
 * Makes the tool `write_file`.
 *
 * @param surroundings - The containment, for whom it works, and what keeps work on one file in order.
 * @returns The tool.
 */
export function writeFileTool({
  root,
  guard,
  queue,
}: Surroundings & { readonly queue: PathQueue }): Tool {
  return defineBundledTool(
    {
      name: "write_file",
      title: "Write a file",
      description,
      input,
      output,
      empty,
      tags: ["local", "files"],
      checkpaths: ["path"],
      annotations: { destructiveHint: true },
      async run({ path, content }) {
        try {
          if (!isWholeText(content)) throw editErrors.INVALID_TEXT();
          const first = await openForWriting(root, path);
          const { realPath } = first;
          await first[Symbol.asyncDispose]();
          return await queue.run(realPath, async () => {
            await using place = await openForWriting(root, path);
            return await replaceContent(place, content, path);
          });
        } catch (error) {
          throw toFileError(error, path);
        }
      },
    },
    guard,
  );
}

async function replaceContent(
  place: WritePlace,
  content: string,
  path: string,
): Promise<z.input<typeof output>> {
  const before = await readBefore(place, path);
  const old = before === undefined ? undefined : readSource(before, path);
  const bytes = toNewBytes(content, old);
  await saveContent(place, { before, content: bytes }, path);
  const diff: LineDiff = toLineDiff(path, old?.text ?? "", toLf(withoutMark(content)));
  return { path, created: old === undefined, bytes_written: bytes.length, ...diff };
}

/**
 * Reads what a file holds before it is changed.
 *
 * @throws {PosternError} `FILE_TOO_LARGE`
 */
export async function readBefore(place: WritePlace, path: string): Promise<Buffer | undefined> {
  if (place.existing === undefined) return undefined;
  if (place.existing.size > maxEditBytes)
    throw editErrors.FILE_TOO_LARGE({ path, maxBytes: maxEditBytes });
  return place.readExisting(maxEditBytes);
}

const mark = "\ufeff";

function withoutMark(content: string): string {
  return content.startsWith(mark) ? content.slice(1) : content;
}

/** The old file decides how lines end, where it has lines; new text keeps what most of its own lines have. */
function toNewBytes(content: string, old: SourceText | undefined): Buffer {
  const text = withoutMark(content);
  const hasLines = old !== undefined && old.text.includes("\n");
  const ending = hasLines ? old.ending : findEnding(text);
  const hasBom = content.startsWith(mark) || (old?.hasBom ?? false);
  return toBytes(toEnding(toLf(text), ending), hasBom);
}
