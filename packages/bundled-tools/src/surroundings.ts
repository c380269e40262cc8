import type { RootFolder } from "./files/root-folder.js";
import type { ReadVariable, RootUserGuard } from "./root-user.js";

/** What the tools of every room share. */
export interface Surroundings {
  /** The one folder that they may use. */
  readonly root: RootFolder;
  /** Reads a variable of the environment, at every use. */
  readonly env: ReadVariable;
  /** How the root user is recognised and let through; for `defineBundledTool`. */
  readonly guard: RootUserGuard;
}
