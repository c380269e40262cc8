import { isPosternError } from "@postern/errors";
import { poolErrors } from "../errors.js";
import type { PoolOptions, StdioTransport } from "../pool-options.js";
import type { HttpTarget, ServerConfig, ServerProtocol, StdioTarget } from "../server-config.js";
import { limitFetch } from "./limit-fetch.js";
import type { Connection } from "./connection.js";
import { isCredentialed, isPrivateRoad } from "./credentials.js";
import { describeFailure } from "./describe-failure.js";
import { toStderrCause } from "./failure.js";
import { greet } from "./greet.js";
import { withLimit } from "./limit.js";
import { Wire } from "./wire.js";

/** Which server to connect, and how. */
export interface ConnectionRequest {
  readonly name: string;
  /** As the owner wrote it. */
  readonly written: ServerConfig;
  /** As it is for this connection. */
  readonly resolved: ServerConfig;
  readonly options: PoolOptions;
  /** Aborted when the pool closes. */
  readonly signal: AbortSignal;
  /** Given the end of a connection that never came about, which nobody else waits for. */
  readonly onClosing: (closing: Promise<void>) => void;
}

/** What the wire runs over. */
interface Channel {
  readonly wire: Wire;
  readonly protocol: ServerProtocol;
  readonly stdio?: StdioTransport;
  /** Tells the server that a session is over. */
  readonly endSession?: () => Promise<void>;
}

/** 16 MiB: no honest message is longer, and a parser survives it. */
const defaultMaxMessageBytes = 16 * 1_024 * 1_024;
/** Long enough for a server that is fetched first. */
export const defaultConnectTimeoutMs = 30_000;
/** A host gives its own. */
const defaultClientInfo = Object.freeze({ name: "postern", version: "0" });
/** How long a server may take to forget a session that we end. */
const goodbyeMs = 1_000;

/**
 * Opens a connection and shakes hands.
 *
 * @throws {PosternError} `CONNECT_FAILED`, `CONNECT_TIMEOUT`, `CREDENTIAL_NEEDS_HTTPS`, `INVALID_SERVER`,
 * `STDIO_MISSING` or `MESSAGE_TOO_LARGE`.
 */
export async function openConnection(request: ConnectionRequest): Promise<Connection> {
  const { resolved } = request;
  if ("url" in resolved) return shakeHands(request, await openHttp(request, resolved));
  const protocol = resolved.protocol ?? "legacy";
  const channel = openStdio(request, resolved, protocol);
  try {
    return await shakeHands(request, channel);
  } catch (error) {
    // A server older than the question may exit on it; it gets a second life, in the tongue it knows.
    if (protocol !== "auto" || channel.stdio?.closeReason()?.kind !== "exited") throw error;
    return shakeHands(request, openStdio(request, resolved, "legacy"));
  }
}

function openStdio(
  { name, options }: ConnectionRequest,
  target: StdioTarget,
  protocol: ServerProtocol,
): Channel & { readonly stdio: StdioTransport } {
  if (options.stdio === undefined) throw poolErrors.STDIO_MISSING({ server: name });
  const maxMessageBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
  const stdio = options.stdio(target, {
    server: name,
    baseEnv: options.baseEnv ?? {},
    maxMessageBytes,
    ...(options.closeGraceMs === undefined ? {} : { closeGraceMs: options.closeGraceMs }),
  });
  const wire = new Wire(stdio);
  wire.toLostError = () => {
    const closed = stdio.closeReason();
    if (closed?.kind === "too_large")
      return poolErrors.MESSAGE_TOO_LARGE({ server: name, maxBytes: maxMessageBytes });
    return poolErrors.CONNECTION_LOST(
      { server: name, reason: closed?.text ?? "it was closed" },
      { cause: toStderrCause(stdio.stderrTail()) },
    );
  };
  return { wire, protocol, stdio };
}

async function openHttp(request: ConnectionRequest, target: HttpTarget): Promise<Channel> {
  const { name, written, options } = request;
  const url = toUrl(name, target.url);
  const asWritten = "url" in written ? written : target;
  if (isCredentialed(target, asWritten) && !isPrivateRoad(url))
    throw poolErrors.CREDENTIAL_NEEDS_HTTPS({ server: name });
  const maxBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
  const { createHttpTransport } = await import("./negotiate.js");
  const limited = limitFetch(options.fetch ?? fetch, { server: name, maxBytes });
  const transport = createHttpTransport(target, limited);
  const wire = new Wire(transport);
  wire.toLostError = () =>
    poolErrors.CONNECTION_LOST({
      server: name,
      reason: wire.lost ? "it was closed" : "its answer broke off",
    });
  const protocol = request.resolved.protocol ?? "auto";
  return { wire, protocol, endSession: () => transport.terminateSession() };
}

function toUrl(server: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw poolErrors.INVALID_SERVER({ server, problem: "its url is not an http or https URL" });
  if (url.username !== "" || url.password !== "")
    throw poolErrors.INVALID_SERVER({
      server,
      problem: "its url holds a user name or password; give an Authorization header instead",
    });
  return url;
}

async function shakeHands(request: ConnectionRequest, channel: Channel): Promise<Connection> {
  const { name, resolved, options, signal } = request;
  const { wire, protocol, stdio } = channel;
  const timeoutMs = resolved.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const clientInfo = options.clientInfo ?? defaultClientInfo;
  const work = async (): Promise<Omit<Connection, "noiseLines" | "close" | "pid">> => {
    if (stdio !== undefined && protocol === "legacy")
      return greet(wire, { server: name, clientInfo });
    // A command starts while the SDK loads.
    const [{ negotiate }] = await Promise.all([import("./negotiate.js"), wire.start()]);
    return negotiate(wire, {
      protocol,
      timeoutMs,
      // Silence is how an older command answers the question, so half of the time is for what comes after it.
      probeTimeoutMs: stdio === undefined ? timeoutMs : Math.ceil(timeoutMs / 2),
      clientInfo,
    });
  };
  try {
    const toError = (): unknown =>
      poolErrors.CONNECT_TIMEOUT({ server: name, timeoutMs }, { cause: toWords(stdio) });
    const shaken = await withLimit(work(), { timeoutMs, signal, toError });
    return { ...shaken, ...toOwnMembers(channel) };
  } catch (error) {
    const failure = toHandshakeError(request, channel, error);
    request.onClosing(wire.close());
    throw failure;
  }
}

function toWords(stdio: StdioTransport | undefined): unknown {
  return stdio === undefined ? undefined : toStderrCause(stdio.stderrTail());
}

function toOwnMembers(channel: Channel): Pick<Connection, "noiseLines" | "close" | "pid"> {
  const { wire, stdio, endSession } = channel;
  const pid = stdio?.pid ?? undefined;
  return {
    ...(pid === undefined ? {} : { pid }),
    noiseLines: () => stdio?.noiseLines ?? 0,
    close: async () => {
      if (endSession !== undefined && wire.sessionId !== undefined)
        await withLimit(endSession(), { timeoutMs: goodbyeMs, toError: () => undefined }).catch(
          () => undefined,
        );
      await wire.close();
    },
  };
}

function toHandshakeError(
  { name, signal }: ConnectionRequest,
  { wire, stdio }: Channel,
  error: unknown,
): unknown {
  if (signal.aborted) return poolErrors.POOL_CLOSED();
  const closed = stdio?.closeReason();
  if (closed?.kind === "too_large") return wire.toLostError();
  if (closed === undefined && isPosternError(error)) return error;
  const reason =
    closed === undefined
      ? describeFailure(error).reason
      : `${closed.text} before its handshake was done`;
  return poolErrors.CONNECT_FAILED({ server: name, reason }, { cause: toWords(stdio) ?? error });
}
