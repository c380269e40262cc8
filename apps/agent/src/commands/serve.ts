import { serveProxy } from "@postern/host";
import { agentErrors } from "../errors.js";
import { exitCodes, toExitCode } from "../exit-code.js";
import type { Session } from "../session.js";
import { untilAborted, withHost, type ViewFlags } from "../with-host.js";

/** The flags of `serve`. */
export interface ServeFlags extends ViewFlags {
  readonly proxy?: boolean;
  /** The port; without it, stdio. */
  readonly http?: number;
  readonly host?: string;
  readonly allowHost?: readonly string[];
  /** False with `--no-auth`. */
  readonly auth: boolean;
}

/**
 * Serves the governed tools again, until the client goes or the owner interrupts.
 *
 * @param session - The run. @param flags - The flags.
 * @returns The exit code.
 * @throws {PosternError} `USAGE`, or `OPEN_BIND` for a bind that would be open without authentication.
 */
export async function serveTools(session: Session, flags: ServeFlags): Promise<number> {
  checkFlags(flags);
  return withHost(session, flags, async (host) => {
    const served = await serveProxy(host, toTarget(flags));
    try {
      for (const { server, reason } of host.tools.missing())
        session.printer.note(`${server} is missing: ${reason}`);
      if (served.url !== undefined) announce(session, served.url, served.token);
      await untilAborted(served.closed, session.signal);
      return exitCodes.ok;
    } catch (error) {
      // An interrupt is how a server is ended: no line about it.
      if (session.signal.aborted) return toExitCode(session.signal.reason);
      throw error;
    } finally {
      await served.close();
    }
  });
}

function checkFlags({ proxy, http, host, allowHost, auth }: ServeFlags): void {
  if (proxy !== true)
    throw agentErrors.USAGE({
      problem: "Say what to serve: postern serve --proxy serves the configured servers' tools.",
    });
  if (http === undefined && (host !== undefined || allowHost !== undefined || !auth))
    throw agentErrors.USAGE({
      problem:
        "--host, --allow-host and --no-auth go with --http PORT; over stdio there is no port.",
    });
}

function toTarget({ http, host, allowHost, auth }: ServeFlags): Parameters<typeof serveProxy>[1] {
  if (http === undefined) return { kind: "stdio" };
  return {
    kind: "http",
    port: http,
    ...(host === undefined ? {} : { host }),
    ...(allowHost === undefined ? {} : { allowHosts: allowHost }),
    ...(auth ? {} : { noAuth: true }),
  };
}

/** The one place where the bearer is shown: it is made at the start and kept nowhere. */
function announce({ printer }: Session, url: string, token: string | undefined): void {
  printer.answer({ url, ...(token === undefined ? {} : { token }) }, () =>
    token === undefined
      ? `Serving ${url}\nNo credential is asked: every program on this machine may call.`
      : [
          `Serving ${url}`,
          `Bearer  ${token}`,
          "Clients send it with every request. For Claude Code:",
          `  claude mcp add --transport http postern ${url} --header "Authorization: Bearer ${token}"`,
        ].join("\n"),
  );
}
