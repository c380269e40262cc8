import { defineErrors } from "@postern/errors";
import { toQuoted } from "../errors.js";

interface Of {
  /** The path as the caller gave it. */
  readonly path: string;
}

/** Why a file was not written or edited. It is as it was. */
export const editErrors = defineErrors({
  EDIT_INCOMPLETE:
    "Give old_string and new_string, or edits with at least one pair of them, and not both.",
  EDIT_EMPTY_OLD:
    "old_string is empty. Give the text to replace; to write a whole file, use the file writing tool.",
  EDIT_WITHOUT_CHANGE: "old_string and new_string are the same, so there is nothing to change.",
  EDIT_NO_MATCH: ({ path, hint }: Of & { readonly hint: string }) =>
    `old_string was not found in ${toQuoted(path)}. ${hint}Read the file again and copy the text exactly, without line numbers.`,
  EDIT_AMBIGUOUS: ({
    path,
    count,
    lines,
  }: Of & { readonly count: number; readonly lines: readonly number[] }) =>
    `old_string fits ${count} places in ${toQuoted(path)} (lines ${lines.join(", ")}${count > lines.length ? ", …" : ""}). Add surrounding lines until it fits one, or set replace_all.`,
  FILE_TOO_LARGE: ({ path, maxBytes }: Of & { readonly maxBytes: number }) =>
    `${toQuoted(path)} is larger than ${maxBytes} bytes, so it is not edited as text.`,
  INVALID_TEXT:
    "The text holds half a surrogate pair, which UTF-8 cannot write. Send whole characters.",
});
