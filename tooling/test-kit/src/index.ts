/** Only for tests of this repository; never published. */
export * as fc from "fast-check";
export { openFolder } from "./folder.js";
export type { Folder } from "./folder.js";
export { peerServer } from "./peer-server.js";
export type { PeerName } from "./peer-server.js";
export { findProcesses, waitFor } from "./processes.js";
export { bundleSource, findEagerModules } from "./run-source.js";
