import type { Listing } from "@postern/tool";
import type { Session } from "../session.js";
import { exitCodes } from "../exit-code.js";
import { toVisibleLine } from "../visible-text.js";
import { withHost, type ViewFlags } from "../with-host.js";

/**
 * Lists what may be called.
 *
 * @param session - The run. @param flags - What narrows the view.
 * @returns The exit code: a server that cannot be reached is named on stderr, and the others are listed.
 */
export async function listTools(session: Session, flags: ViewFlags): Promise<number> {
  const { printer } = session;
  return withHost(session, flags, async (host) => {
    const listings = await host.tools.list();
    const missing = host.tools.missing();
    printer.answer(
      {
        level: host.level,
        tools: listings.map(toToolJson),
        missing: missing.map(({ server, reason }) => ({ server, reason })),
      },
      () => (listings.length === 0 ? "" : toToolTable(listings, session)),
    );
    if (listings.length === 0) printer.note(`No tool may be called under ${host.level}.`);
    for (const { server, reason } of missing) printer.note(`${server} is missing: ${reason}`);
    return exitCodes.ok;
  });
}

/**
 * Writes listings as a table: name, tags, effects, and the first line of what the server says.
 *
 * @param listings - The tools. @param session - The run.
 * @returns The table.
 */
export function toToolTable(listings: readonly Listing[], { printer }: Session): string {
  return printer.table(
    ["TOOL", "TAGS", "READ-ONLY", "DESTRUCTIVE", "DESCRIPTION"],
    listings.map(({ name, tags, annotations, raw }) => [
      toVisibleLine(name),
      toVisibleLine(tags.join(",")) || "-",
      toHint(annotations?.readOnlyHint),
      toHint(annotations?.destructiveHint),
      toFirstLine(raw["description"]),
    ]),
  );
}

/** Listings as JSON: our names, and the server's own object as it sent it. */
export function toToolJson(listing: Listing): object {
  const { name, server, originalName, tags, annotations, raw } = listing;
  return {
    name,
    server,
    originalName,
    tags,
    annotations: annotations ?? {},
    description: raw["description"] ?? "",
    inputSchema: raw["inputSchema"] ?? {},
    ...(raw["outputSchema"] === undefined ? {} : { outputSchema: raw["outputSchema"] }),
  };
}

function toHint(hint: boolean | undefined): string {
  if (hint === undefined) return "-";
  return hint ? "yes" : "no";
}

function toFirstLine(description: unknown): string {
  if (typeof description !== "string") return "";
  return toVisibleLine(description.trimStart().split("\n", 1)[0] ?? "");
}
