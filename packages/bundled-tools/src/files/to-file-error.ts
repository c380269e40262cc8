import { isPosternError, type PosternError } from "@postern/errors";
import { bundledErrors } from "../errors.js";

/** The system's error code of anything thrown, such as `ENOENT`; empty for other errors. */
function findSystemCode(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/**
 * Turns what a file operation threw into an error of ours that names the path as the caller gave it; the system's
 * own message would name the resolved one.
 *
 * @param error - What was thrown.
 * @param path - The path as given.
 * @returns The error; an error of ours as it is, but never with a resolved path in it.
 */
export function toFileError(error: unknown, path: string): PosternError {
  if (isPosternError(error, bundledErrors) && error.code === "PATH_CHANGED")
    return bundledErrors.PATH_CHANGED({ path }, { cause: error });
  if (isPosternError(error)) return error;
  const options = { cause: error };
  const code = findSystemCode(error);
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return bundledErrors.PATH_NOT_FOUND({ path }, options);
    case "EACCES":
    case "EPERM":
      return bundledErrors.PERMISSION_DENIED({ path }, options);
    case "ELOOP":
      return bundledErrors.NOT_A_FILE({ path, found: "a link that leads to itself" }, options);
    case "ENAMETOOLONG":
      return bundledErrors.INVALID_PATH({ path, problem: "it is too long" }, options);
    default:
      return bundledErrors.READ_FAILED({ path, reason: code || "unknown reason" }, options);
  }
}
