import { defineErrors } from "@postern/errors";

/** The errors of this package, by code. */
export const fileErrors = defineErrors({
  LOCK_TIMEOUT: ({ lock, holder }: { lock: string; holder: string }) =>
    `${lock} is held by ${holder}. Wait for it to finish and try again; delete the lock file only when you are sure that nothing uses it.`,
  LOCK_ABORTED: ({ lock }: { lock: string }) => `Waiting for ${lock} was given up by the caller.`,
  NOT_PRIVATE: ({ path, reason }: { path: string; reason: string }) =>
    `${path} is not private: ${reason}. Private things are kept only in a folder that nobody else can write to or owns: run chmod 700 on it as its owner, or choose another.`,
  FILE_UNREADABLE: ({ path, reason }: { path: string; reason: string }) =>
    `${path} cannot be read: ${reason}.`,
  FILE_UNWRITABLE: ({ path, reason }: { path: string; reason: string }) =>
    `${path} cannot be written: ${reason}. It was left as it was.`,
  FILE_CLOSED: ({ path }: { path: string }) => `${path} was closed and takes no more lines.`,
  LINE_BREAK: ({ path }: { path: string }) =>
    `A record with a line break cannot be one line of ${path}. Encode it, for instance as JSON.`,
  SPILL_TOO_LARGE: ({ bytes, maxBytes }: { bytes: number; maxBytes: number }) =>
    `${bytes} bytes are more than the ${maxBytes} that may be stored. Nothing was stored.`,
});
