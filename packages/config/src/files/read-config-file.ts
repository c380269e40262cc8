import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { readTextFile } from "@postern/files";
import { isPosternError } from "@postern/errors";
import type { Problem } from "../problem.js";
import { maxTextLength } from "../json/parse-tree.js";

/** A character takes at most three bytes for each UTF-16 unit. */
const maxBytes = 3 * maxTextLength + 3;

/** The text of a file, or that there is none, or why it cannot be read. */
export type ReadFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly problem: Problem };

/** Reads a configuration file. What is wrong with the file is a problem like those inside it. */
export async function readConfigFile(path: string): Promise<ReadFile> {
  try {
    const text = await readTextFile(path, { maxBytes });
    return text === undefined ? { kind: "missing" } : { kind: "text", text };
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return toUnreadable(path, error.code, error.message);
  }
}

/**
 * Reads a file of the owner's folder: as {@link readConfigFile}, unless everybody may write to it or its folder. Whoever
 * can write there decides which programs the owner starts.
 */
export async function readOwnerFile(path: string): Promise<ReadFile> {
  const read = await readConfigFile(path);
  if (read.kind !== "text" || process.geteuid === undefined) return read;
  const [folder, file] = await Promise.all([stat(dirname(path)), stat(path)]);
  const open = [dirname(path), path].filter(
    (_, index) => (([folder, file][index]?.mode ?? 0) & 0o002) !== 0,
  );
  if (open.length === 0) return read;
  const message = `Everybody can write to ${open.join(" and ")}, so what ${path} says does not count. Take that right away with chmod o-w, after you have checked what it holds.`;
  return toUnreadable(path, "NOT_PRIVATE", message);
}

function toUnreadable(file: string, code: string, message: string): ReadFile {
  const problem = {
    code,
    severity: "error",
    file,
    line: 0,
    column: 0,
    path: "",
    message,
  } as const;
  return { kind: "unreadable", problem: Object.freeze(problem) };
}
