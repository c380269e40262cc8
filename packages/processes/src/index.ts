// For everyone who starts processes.
export { spawnProcess } from "./spawn-process.js";
export type {
  OwnedProcess,
  ProcessExit,
  ProcessMember,
  SpawnOptions,
  StopOptions,
} from "./owned-process.js";
export { createTailBuffer } from "./tail-buffer.js";
export type { TailBuffer } from "./tail-buffer.js";
export { processErrors } from "./errors.js";
