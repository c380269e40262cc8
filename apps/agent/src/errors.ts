import { defineErrors } from "@postern/errors";

/** What the command line itself can fail with; the packages below it have their own tables. */
export const agentErrors = defineErrors({
  USAGE: ({ problem }: { problem: string }) => problem,
  UNKNOWN_SERVER: ({ name, nearest }: { name: string; nearest?: string }) =>
    `There is no server named ${JSON.stringify(name)} in mcp.json${
      nearest === undefined ? "." : `; did you mean ${JSON.stringify(nearest)}?`
    } See them with: postern mcp list`,
  SERVER_DISABLED: ({ name }: { name: string }) =>
    `The server ${JSON.stringify(name)} is disabled. Turn it on with: postern mcp enable ${name}`,
  SERVER_UNREACHABLE: ({ server, reason }: { server: string; reason: string }) =>
    `The server ${JSON.stringify(server)} cannot be reached: ${reason}`,
  INVALID_ENTRY: ({ problems }: { problems: readonly string[] }) => problems.join(" · "),
  INVALID_FILE: ({ problems }: { problems: readonly string[] }) => problems.join(" · "),
  NO_PROJECT_FILE: ({ directory }: { directory: string }) =>
    `There is no postern.json in ${directory}: nothing to trust. Run this in the project's own folder.`,
  NOT_TRUSTED:
    "Nothing was changed: the project's postern.json stays untrusted and may only narrow.",
  NO_CONSENT: ({ path }: { path: string }) =>
    `Nothing was allowed for ${JSON.stringify(path)} in this project. See what was with: postern consent list`,
  AUDIT_CHANGED: ({ problems }: { problems: readonly string[] }) =>
    `The audit is not as it was written. ${problems.join(" · ")}`,
  INPUT_NEEDED:
    "The tool asks for input before it goes on, and this command has nobody to ask. Call it from an MCP client instead.",
  INTERRUPTED: "Interrupted.",
  TERMINATED: "Ended by a signal.",
});
