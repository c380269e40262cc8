import { fileURLToPath } from "node:url";
import { bundledErrors } from "../errors.js";

/** As RFC 8089 has it, with or without an empty host; a name that merely begins with "file:" is a name. */
const fileUrl = /^file:[\\/]/i;
const otherUrl = /^[a-z][a-z\d+.-]+:\/\//i;

/**
 * Turns what a caller gave as a path into one. A `file:` URL is the path that it stands for, so that containment and
 * every check of paths see where it leads; taken as a name, it would pass them all and mean another thing elsewhere.
 *
 * @param given - A path, or a `file:` URL.
 * @returns The path; relative ones stay so.
 * @throws {PosternError} `INVALID_PATH` for a URL of another kind, of another host, or one that hides a separator.
 */
export function toPath(given: string): string {
  if (fileUrl.test(given)) return parseFileUrl(given);
  if (!otherUrl.test(given)) return given;
  throw bundledErrors.INVALID_PATH({
    path: given,
    problem:
      'it is a URL. Use the web fetching tool for what is on the web; a path that looks like this begins with "./"',
  });
}

function parseFileUrl(given: string): string {
  try {
    return fileURLToPath(given);
  } catch (cause) {
    const problem = "it is no file: URL of this machine";
    throw bundledErrors.INVALID_PATH({ path: given, problem }, { cause });
  }
}
