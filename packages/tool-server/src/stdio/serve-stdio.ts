import type { Readable, Writable } from "node:stream";
import { serveStdio as serveSdkStdio } from "@modelcontextprotocol/server/stdio";
import type { Caller, ToolSet } from "@postern/tool";
import { createReporter, type ReportError, type Serve, type ServerIdentity } from "../identity.js";
import { createChangeWatch, type ChangedList } from "../protocol/changes.js";
import { createSdkServer, type Era } from "../protocol/sdk-server.js";
import { toQuestionSettings, type QuestionOptions } from "../round-trip/question-options.js";
import { RoundTrip } from "../round-trip/round-trip.js";
import type { Server } from "../sdk.js";
import { StdioTransport } from "./stdio-transport.js";

/** How a stdio server is wired. */
export interface StdioOptions {
  /** Who calls. Default: the owner, for it is the owner who configured the client that started this process. */
  readonly caller?: Caller;
  /** Where messages come from. Default: `process.stdin`. */
  readonly input?: Readable;
  /** Where messages go. Default: `process.stdout`; nothing else may write there. */
  readonly output?: Writable;
  /** Whether arguments are checked against a tool's input schema before the call. Default: true. */
  readonly validateArguments?: boolean;
  /**
   * Whether the client may say by `grantedMetaKey` what was allowed for a call: only for a program that is started by
   * whoever asks the owner. Default: false.
   */
  readonly believesGrants?: boolean;
  /** How questions of calls reach a person. */
  readonly questions?: QuestionOptions;
  /** Gets what never reaches the client: unknown errors, unreadable lines. */
  readonly onError?: ReportError;
}

/** A running stdio server. */
export interface StdioServer extends AsyncDisposable {
  /** Resolves when the client is gone or the server was closed. */
  readonly closed: Promise<void>;
  /** Stops reading, and aborts running calls. */
  close(): Promise<void>;
}

const owner: Caller = Object.freeze({ kind: "owner", id: "stdio", scopes: Object.freeze([]) });

/**
 * Serves tools over stdio to one client: protocol 2026-07-28 and every older revision, whichever it speaks. When the
 * client closes our input, running calls get half a second to answer, and then the server ends.
 *
 * @param identity - How the server introduces itself.
 * @param tools - What is served.
 * @param options - How it is wired.
 * @returns The server, reading.
 * @throws {PosternError} `INVALID_OPTIONS` for `questions` that cannot be used.
 */
export async function serveStdio(
  identity: ServerIdentity,
  tools: Serve,
  options: StdioOptions = {},
): Promise<StdioServer> {
  const { caller = owner, input = process.stdin, output = process.stdout } = options;
  const report = createReporter(options.onError);
  const questions = toQuestionSettings(options.questions);
  const served = typeof tools === "function" ? await tools(caller) : tools;
  const transport = new StdioTransport({ input, output, report });
  const serving = {
    identity: Object.freeze({ ...identity }),
    tools: served,
    caller,
    validateArguments: options.validateArguments ?? true,
    report,
    roundTrip: new RoundTrip(identity.name, questions, { report }),
    canSend: true,
    believesGrants: options.believesGrants ?? false,
  };
  const handle = serveSdkStdio(
    async ({ era }) => {
      const server = await createSdkServer({ ...serving, era });
      announceChanges(server, { tools: served, era, report });
      return server;
    },
    { transport, onerror: report },
  );
  const close = async (): Promise<void> => {
    await handle.close();
    await transport.close();
  };
  return Object.freeze({
    closed: transport.closed,
    close,
    [Symbol.asyncDispose]: close,
  });
}

interface Announcing {
  readonly tools: ToolSet;
  readonly era: Era;
  readonly report: ReportError;
}

/** Tells the client of changes for as long as this instance serves it; an older client only after its handshake. */
function announceChanges(server: Server, { tools, era, report }: Announcing): void {
  let isReady = era === "modern";
  const watch = createChangeWatch(tools, (changed) => {
    if (isReady) void announce(server, changed).catch(report);
  });
  Object.assign(server, {
    oninitialized: () => {
      isReady = true;
    },
    onclose: () => watch[Symbol.dispose](),
  });
}

/** What was not advertised may not be announced: prompts that came later are seen by the next connection. */
function announce(server: Server, changed: ChangedList): Promise<void> {
  const { tools, prompts, resources } = server.getCapabilities();
  if (changed === "tools" && tools !== undefined) return server.sendToolListChanged();
  if (changed === "prompts" && prompts !== undefined) return server.sendPromptListChanged();
  if (changed === "resources" && resources !== undefined) return server.sendResourceListChanged();
  return Promise.resolve();
}
