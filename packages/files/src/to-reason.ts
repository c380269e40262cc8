/** Says in a few words why the system refused, for instance `EACCES`. */
export function toReason(error: unknown): string {
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
