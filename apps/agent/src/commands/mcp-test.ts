import type { Host } from "@postern/host";
import { agentErrors } from "../errors.js";
import { exitCodes } from "../exit-code.js";
import { findServer, readServers } from "../owner-servers.js";
import { toProblemText } from "../problem-text.js";
import type { Session } from "../session.js";
import { withHost } from "../with-host.js";
import { toToolJson, toToolTable } from "./tools.js";

type State = ReturnType<Host["servers"]>[number];
type Connected = Extract<State, { readonly state: "connected" }>;

/**
 * Connects one server and lists its tools, whatever the access level hides elsewhere.
 *
 * @param session - The run. @param name - The server. @param timeoutSeconds - How long it may take in all.
 * @returns The exit code.
 * @throws {PosternError} `UNKNOWN_SERVER`, `INVALID_ENTRY`, `SERVER_DISABLED`, `SERVER_UNREACHABLE`.
 */
export async function connectOnce(
  session: Session,
  name: string,
  timeoutSeconds: number,
): Promise<number> {
  await assertTestable(session, name);
  const limit = new AbortController();
  const timer = setTimeout(() => {
    const reason = `it was not ready within ${timeoutSeconds} s; --timeout gives it longer`;
    limit.abort(agentErrors.SERVER_UNREACHABLE({ server: name, reason }));
  }, timeoutSeconds * 1000);
  const signal = AbortSignal.any([session.signal, limit.signal]);
  const needs = { onlyServers: [name], level: "full" } as const;
  try {
    return await withHost({ ...session, signal }, needs, async (host) => {
      const state = host.servers().find((server) => server.name === name);
      if (state?.state !== "connected") throw toUnreachable(host, name, state);
      return answerTest(session, host, state);
    });
  } finally {
    clearTimeout(timer);
  }
}

async function assertTestable(session: Session, name: string): Promise<void> {
  // The host names what is wrong in the files; once is enough.
  const printer = { ...session.printer, note: () => undefined };
  const config = await readServers({ ...session, printer });
  const entry = findServer(config, name);
  if (entry === undefined) {
    const broken = config.broken.find((one) => one.name === name);
    throw agentErrors.INVALID_ENTRY({ problems: (broken?.problems ?? []).map(toProblemText) });
  }
  if (entry.disabled) throw agentErrors.SERVER_DISABLED({ name });
}

function toUnreachable(host: Host, server: string, state: State | undefined): Error {
  const missing = host.tools.missing().find((one) => one.server === server);
  const known = state?.state === "failed" ? state.reason : missing?.reason;
  const reason = known ?? "it is not part of the configuration in force";
  return agentErrors.SERVER_UNREACHABLE({ server, reason });
}

async function answerTest(session: Session, host: Host, state: Connected): Promise<number> {
  const { printer } = session;
  const tools = (await host.tools.list()).filter((tool) => tool.server === state.name);
  const { name, era, protocolVersion, serverInfo, toolCount, dropped, repaired } = state;
  const facts = { server: name, era, protocolVersion, serverInfo, toolCount, dropped, repaired };
  printer.answer({ ...facts, noiseLines: state.noiseLines, tools: tools.map(toToolJson) }, () =>
    tools.length === 0 ? "" : toToolTable(tools, session),
  );
  printer.note(`${name} answers (protocol ${protocolVersion}); it lists ${toCount(toolCount)}.`);
  if (tools.length < toolCount)
    printer.note(`${toCount(toolCount - tools.length)} not shown: hidden by the configuration.`);
  for (const one of dropped) printer.note(`Left out ${one.kind} ${one.name}: ${one.problem}`);
  for (const one of repaired) printer.note(`Mended ${one.kind} ${one.name}: ${one.problem}`);
  if (state.noiseLines > 0)
    printer.note(`It wrote ${state.noiseLines} lines to stdout that are not protocol.`);
  return exitCodes.ok;
}

function toCount(count: number): string {
  return count === 1 ? "1 tool" : `${count === 0 ? "no" : count} tools`;
}
