import type { JsonObject } from "@postern/tool";
import {
  Client,
  StreamableHTTPClientTransport,
  type FetchLike,
  type jsonSchemaValidator,
  type SubscriptionFilter,
} from "../sdk.js";
import type { HttpTarget, ServerProtocol } from "../server-config.js";
import type { Connection, Watch, WatchFilter } from "./connection.js";
import { createEnvelope } from "./envelope.js";
import { toShown } from "./to-shown.js";
import type { Wire } from "./wire.js";

/** How to shake hands. */
export interface Handshake {
  readonly protocol: ServerProtocol;
  readonly timeoutMs: number;
  /** How long a server may leave the question for its revision unanswered. */
  readonly probeTimeoutMs: number;
  readonly clientInfo: { readonly name: string; readonly version: string };
}

/** Validators are for the SDK's own `callTool`, which the pool never uses: none need be compiled. */
const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not validated here" }),
};

/** Shakes hands with the server behind a wire; its end is the caller's to watch. */
export async function negotiate(
  wire: Wire,
  handshake: Handshake,
): Promise<Omit<Connection, "noiseLines" | "close" | "pid">> {
  const { protocol, timeoutMs, probeTimeoutMs, clientInfo } = handshake;
  const client = new Client(clientInfo, {
    capabilities: {},
    jsonSchemaValidator: noValidator,
    versionNegotiation: {
      mode: protocol === "2026-07-28" ? { pin: protocol } : protocol,
      probe: { timeoutMs: probeTimeoutMs },
    },
  });
  // Noise and stray answers are counted by the transport; nothing here is worth an exception.
  Object.assign(client, { onerror: () => undefined });
  await client.connect(wire, { timeout: timeoutMs });
  const era = client.getProtocolEra() ?? "legacy";
  const protocolVersion = client.getNegotiatedProtocolVersion() ?? "";
  if (era === "modern") wire.envelope = createEnvelope(protocolVersion, clientInfo);
  const info = client.getServerVersion();
  const instructions = client.getInstructions();
  return {
    wire,
    era,
    protocolVersion,
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
    ...(info === undefined
      ? {}
      : {
          serverInfo: Object.freeze({ name: toShown(info.name), version: toShown(info.version) }),
        }),
    ...(instructions === undefined ? {} : { instructions }),
    watch: (filter, onOpen) => createWatch(client, { wire, filter, onOpen, timeoutMs }),
  };
}

/** Prepares the connection to a URL. */
export function createHttpTransport(
  target: HttpTarget,
  fetch: FetchLike,
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(target.url), {
    fetch,
    // A credential must not follow a redirect to someone else.
    redirectPolicy: "same-origin",
    requestInit: { headers: { ...target.headers } },
  });
}

interface WatchOptions {
  readonly wire: Wire;
  readonly filter: WatchFilter;
  readonly onOpen: () => void;
  readonly timeoutMs: number;
}

const firstPauseMs = 500;
const longestPauseMs = 60_000;

/** Keeps a stream of changes open: the SDK opens it once, and nobody tells when it is gone. */
function createWatch(client: Client, options: WatchOptions): Watch {
  const { wire, filter, onOpen, timeoutMs } = options;
  const ended = new AbortController();
  const listen = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    let opened = false;
    while (!ended.signal.aborted && !wire.lost) {
      try {
        const subscription = await client.listen(filter as SubscriptionFilter, {
          timeout: timeoutMs,
          signal: ended.signal,
        });
        pauseMs = firstPauseMs;
        if (opened) onOpen();
        opened = true;
        await subscription.closed;
      } catch {
        // A server that will not be listened to is a server without changes.
      }
      await pause(pauseMs, ended.signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };
  void listen();
  return { close: () => ended.abort() };
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, durationMs);
    signal.addEventListener("abort", done, { once: true });
  });
}
