import { defineErrors } from "@postern/errors";

/** The errors of this package, by code. Problems inside a file are no errors: parsers return them. */
export const configErrors = defineErrors({
  FILE_BROKEN: ({ file, problem }: { file: string; problem: string }) =>
    `${file} cannot be read, so it was left as it is: ${problem} Repair it or move it away, and try again.`,
  SERVER_EXISTS: ({ name }: { name: string }) =>
    `There is a server ${name} already. Choose another name, or say that it is to be replaced.`,
  SERVER_UNKNOWN: ({ name, nearest }: { name: string; nearest?: string }) =>
    `There is no server ${name}. ${nearest === undefined ? "List the servers to see their names." : `Did you mean ${nearest}?`}`,
  SERVER_NAME_CLASH: ({ name, problem }: { name: string; problem: string }) =>
    `The server ${name} was not written: ${problem}`,
  INVALID_SERVER: ({ name, problems }: { name: string; problems: readonly string[] }) =>
    `The server ${name} was not written: ${problems.join(" ")}`,
  PROJECT_FILE_MISSING: ({ file }: { file: string }) =>
    `There is no file ${file}, so there is nothing to trust.`,
  TRUST_CHANGED: ({ file }: { file: string }) =>
    `${file} is not what was shown any more, so it was not trusted. Look at it again.`,
  TRUST_NOT_PRIVATE: ({ file }: { file: string }) =>
    `${file} could have been written by someone else, so no project is trusted. Make it yours alone (chmod 600) after you have checked what it holds, or delete it.`,
});
