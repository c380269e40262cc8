import { isPosternError, type PosternError } from "@postern/errors";
import { fileErrors } from "./errors.js";

/** Says in a few words why the system refused, for instance `EACCES`. */
function toReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  switch (code) {
    case "EACCES":
    case "EPERM":
      return `this user may not (${code})`;
    case "ENOENT":
      return "its folder does not exist (ENOENT)";
    case "ENOTDIR":
      return "what stands above it is not a folder (ENOTDIR)";
    case "EISDIR":
      return "it is a folder (EISDIR)";
    case "ENOSPC":
      return "the disk is full (ENOSPC)";
    case "EROFS":
      return "the file system is read-only (EROFS)";
    case "ELOOP":
      return "its symbolic links lead in a circle (ELOOP)";
    case undefined:
      return error instanceof Error ? error.message : "the system refused it";
    default:
      return `the system refused it (${code})`;
  }
}

/** Makes the error of a failed write; one of ours stays as it is. */
export function toWriteError(path: string, error: unknown): PosternError {
  if (isPosternError(error)) return error;
  return fileErrors.FILE_UNWRITABLE({ path, reason: toReason(error) }, { cause: error });
}

/** Makes the error of a failed read; one of ours stays as it is. */
export function toReadError(path: string, error: unknown): PosternError {
  if (isPosternError(error)) return error;
  return fileErrors.FILE_UNREADABLE({ path, reason: toReason(error) }, { cause: error });
}
