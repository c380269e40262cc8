// For everyone who keeps files.
export { updateFile } from "./update-file.js";
export type { ChangeText, UpdateFileOptions } from "./update-file.js";
export { writeFileAtomic } from "./write-file-atomic.js";
export type { WriteFileOptions } from "./write-file-atomic.js";
export { readTextFile } from "./read-text-file.js";
export type { ReadFileOptions } from "./read-text-file.js";
export { withFileLock } from "./file-lock.js";
export type { FileLockOptions } from "./file-lock.js";
export { ensurePrivateDirectory } from "./private-directory.js";
export { openAppendFile } from "./append-file.js";
export type { AppendFile, AppendFileOptions, AppendOptions } from "./append-file.js";
export { createSpillStore } from "./spill-store.js";
export type { Spill, SpillLimits, SpillStore } from "./spill-store.js";
export { fileErrors } from "./errors.js";
