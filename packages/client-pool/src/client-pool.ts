import type { Source } from "@postern/tool";
import type { ServerState } from "./server-state.js";

/** Many servers as one `Source`. */
export interface ClientPool extends Source, AsyncDisposable {
  /** How each server is doing, in the order of the configuration. */
  servers(): readonly ServerState[];
  /** Ends every connection and every process that was started for one; calls that wait reject. Idempotent. */
  close(): Promise<void>;
}
