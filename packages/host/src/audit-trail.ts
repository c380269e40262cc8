import { join } from "node:path";
import { errorResult, type Interceptor } from "@postern/tool";
import { isPosternError } from "@postern/errors";
import type { AuditLog } from "@postern/guard/audit";

/** What records the calls of a host. */
export interface AuditTrail {
  /** Outermost around every call. */
  readonly interceptor: Interceptor;
  /** Writes what waits. */
  close(): Promise<void>;
}

/**
 * Finds where calls are recorded.
 *
 * @param home - The owner's folder.
 * @returns The audit's folder.
 */
export function toAuditFolder(home: string): string {
  return join(home, "audit");
}

/**
 * Makes what records every call in the owner's folder. It is opened at the first call; where it cannot be, calls are refused.
 *
 * @param home - The owner's folder.
 * @returns The trail; close it.
 */
export function createAuditTrail(home: string): AuditTrail {
  let opened: Promise<{ readonly log: AuditLog; readonly interceptor: Interceptor }> | undefined;
  const open = async () => {
    const { audit, openAuditLog } = await import("@postern/guard/audit");
    const log = await openAuditLog({ folder: toAuditFolder(home) });
    return { log, interceptor: audit({ log }) };
  };
  return {
    interceptor: (next) => async (call) => {
      try {
        await (opened ??= open());
      } catch (error) {
        if (!isPosternError(error)) throw error;
        return errorResult(error);
      }
      const { interceptor } = await opened;
      return interceptor(next)(call);
    },
    async close() {
      const kept = await opened?.catch(() => undefined);
      await kept?.log.close();
    },
  };
}
