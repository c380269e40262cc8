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
    const { code, message } = error;
    const problem = {
      code,
      severity: "error",
      file: path,
      line: 0,
      column: 0,
      path: "",
      message,
    } as const;
    return { kind: "unreadable", problem: Object.freeze(problem) };
  }
}
