import type { readAudit, verifyAudit } from "@postern/guard/audit";
import { toAuditFolder } from "./audit-trail.js";

/** The owner's audit, to look at. */
export interface OwnersAudit {
  /** As `verifyAudit` of `@postern/guard/audit`. */
  verify(): ReturnType<typeof verifyAudit>;
  /** As `readAudit` of `@postern/guard/audit`: at most so many of the last records. */
  read(last: number): ReturnType<typeof readAudit>;
}

/**
 * Opens the owner's audit, to verify and to read it.
 *
 * @param home - The owner's folder.
 * @returns The audit; nothing is read yet.
 */
export function openAudit(home: string): OwnersAudit {
  const folder = toAuditFolder(home);
  return {
    verify: async () => (await import("@postern/guard/audit")).verifyAudit(folder),
    read: async (last) => (await import("@postern/guard/audit")).readAudit(folder, last),
  };
}
