import { defineErrors } from "@postern/errors";

/** Quotes a path that came from outside: nothing in it can move the cursor or hide text, and it stays short. */
export function toQuoted(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 199)}…` : path;
  return JSON.stringify(short).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

interface Of {
  /** The path as the caller gave it, never what it resolves to. */
  readonly path: string;
}

/** Why a bundled tool refused or failed. In a result: `code`, and the message as `error`. */
export const bundledErrors = defineErrors({
  ROOT_REFUSED:
    "The tools refuse to work for the root user. Start the server as another user, or set POSTERN_ALLOW_ROOT_TOOLS=1 in its environment if root is really meant.",
  ROOT_FOLDER_UNAVAILABLE:
    "The folder that these tools may use cannot be opened. Check that it exists and restart the server with another --root if not.",
  PATH_OUTSIDE_ROOT: ({ path }: Of) =>
    `${toQuoted(path)} is outside the folder that these tools may use. Give a path inside that folder.`,
  INVALID_PATH: ({ path, problem }: Of & { readonly problem: string }) =>
    `${toQuoted(path)} cannot be a path: ${problem}.`,
  PATH_NOT_FOUND: ({ path }: Of) =>
    `There is nothing at ${toQuoted(path)}. List the folder to see what is there.`,
  NOT_A_FILE: ({ path, found }: Of & { readonly found: string }) =>
    `Not a file: ${toQuoted(path)} is ${found}.`,
  NOT_A_DIRECTORY: ({ path }: Of) =>
    `Not a directory: ${toQuoted(path)}. List the folder it lies in, or read it as a file.`,
  BINARY_FILE: ({ path }: Of) =>
    `${toQuoted(path)} is a binary file (it has a NUL byte), so it cannot be read as text.`,
  INVALID_UTF8: ({ path }: Of) =>
    `${toQuoted(path)} is not valid UTF-8, so it cannot be read as text.`,
  PERMISSION_DENIED: ({ path }: Of) =>
    `The system does not let this server use ${toQuoted(path)}. Another user's rights are needed.`,
  PATH_CHANGED: ({ path }: Of) =>
    `${toQuoted(path)} was replaced while it was being opened. Try again.`,
  READ_FAILED: ({ path, reason }: Of & { readonly reason: string }) =>
    `Reading ${toQuoted(path)} failed (${reason}).`,
  CONVERSION_FAILED: ({ what, reason }: { readonly what: string; readonly reason: string }) =>
    `The ${what} could not be turned into text (${reason}).`,
  UNSUPPORTED_DOCUMENT: ({ path, extension }: Of & { readonly extension: string }) =>
    `${toQuoted(path)} is a ${extension} file, which these tools cannot read as text. Convert it to PDF, DOCX, HTML or text first.`,
  WRITE_FAILED: ({ path, reason }: Of & { readonly reason: string }) =>
    `Writing ${toQuoted(path)} failed (${reason}). What was there before is as it was.`,
  FILE_CHANGED: ({ path }: Of) =>
    `Someone else changed ${toQuoted(path)} since it was read, so it was left alone. Read it again, then repeat the change.`,
  CANCELLED: "The call was cancelled.",
});
