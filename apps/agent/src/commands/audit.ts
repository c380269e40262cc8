import { openAudit } from "@postern/host";
import type { JsonObject } from "@postern/tool";
import { agentErrors } from "../errors.js";
import { exitCodes } from "../exit-code.js";
import type { Session } from "../session.js";
import { toVisibleLine } from "../visible-text.js";

/**
 * Verifies the owner's audit.
 *
 * @param session - The run.
 * @returns The exit code.
 * @throws {PosternError} `AUDIT_CHANGED` where something was changed, cut, replaced or taken away; what the files cannot
 *   be read for.
 */
export async function verifyAudit({ home, printer }: Session): Promise<number> {
  const { isWhole, segments } = await openAudit(home).verify();
  const bad = segments.filter(({ problem }) => problem !== "");
  if (!isWhole)
    throw agentErrors.AUDIT_CHANGED({
      problems: bad.map(({ segment, state, problem }) => `${segment}: ${state}, ${problem}`),
    });
  const records = segments.reduce((sum, segment) => sum + segment.records, 0);
  printer.answer({ isWhole, segments }, () =>
    segments.length === 0
      ? "Nothing was recorded yet."
      : `Whole: ${records} records in ${segments.length} segments.`,
  );
  return exitCodes.ok;
}

/**
 * Shows the last records of the owner's audit.
 *
 * @param session - The run. @param lines - At most so many.
 * @returns The exit code.
 */
export async function showAudit({ home, printer }: Session, lines: number): Promise<number> {
  const records = await openAudit(home).read(lines);
  printer.answer({ records }, () =>
    printer.table(
      ["TIME", "CALLER", "TOOL", "OUTCOME", "MS"],
      records.filter(({ event }) => event !== "begin").map(toRow),
    ),
  );
  return exitCodes.ok;
}

function toRow({ time, caller, tool, outcome, code, ms }: JsonObject): readonly string[] {
  const { id } = (caller ?? {}) as JsonObject;
  const end = [outcome, code].filter((part) => typeof part === "string").join(" ");
  return [
    new Date(typeof time === "number" ? time : 0).toISOString(),
    toVisibleLine(toText(id)),
    toVisibleLine(toText(tool)),
    toVisibleLine(end),
    toText(ms),
  ];
}

function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
