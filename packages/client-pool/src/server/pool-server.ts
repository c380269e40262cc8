import { isPosternError, type PosternError } from "@postern/errors";
import {
  errorResult,
  toolErrors,
  type CallContext,
  type CallOutcome,
  type JsonObject,
  type Listing,
  type ListingKind,
  type MissingServer,
  type ToolCall,
} from "@postern/tool";
import { defaultCallTimeoutMs } from "../call-timeout.js";
import type { Connection } from "../connection/connection.js";
import { toConnectError, toReason } from "../connection/failure.js";
import { createMask, type Mask } from "../connection/mask.js";
import { withLimit, withoutAbort } from "../connection/limit.js";
import { defaultConnectTimeoutMs, openConnection } from "../connection/open-connection.js";
import type { Reply, timedOut } from "../connection/wire.js";
import { poolErrors } from "../errors.js";
import { toPrefix } from "../naming/check-prefixes.js";
import type { ServerConfig } from "../server-config.js";
import type { ServerState } from "../server-state.js";
import {
  sendRequest,
  toOutcome,
  toResult,
  toSendFailure,
  toToolRequest,
  type ServerRequest,
} from "./call-server.js";
import { ListKeeper } from "./list-keeper.js";
import type { ServerHub } from "./server-hub.js";
import { Subscriptions } from "./subscriptions.js";

type Status =
  | { readonly state: "connected" | "connecting" | "disabled"; readonly since: number }
  | {
      readonly state: "failed";
      readonly since: number;
      readonly error: PosternError;
      readonly reason: string;
    };

const defaultCatalogTimeoutMs = 30_000;

/** A server that could not be connected just now is not started again for a moment: a flood of calls is no flood of processes. */
const pauseAfterFailureMs = 1_000;

/** One server of a pool, over all its connections. */
export class PoolServer {
  readonly name: string;
  /** What the names of its tools and prompts begin with. */
  readonly prefix: string;
  readonly lists: ListKeeper;
  readonly #config: ServerConfig;
  readonly #hub: ServerHub;
  readonly #callTimeoutMs: number;
  readonly #subscriptions = new Subscriptions();
  /** Why it can never be connected as it is configured. */
  readonly #misconfigured: PosternError | undefined;
  #mask: Mask;
  #status: Status;
  #connection: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  #lastRefusal: { readonly error: PosternError; readonly at: number } | undefined;

  constructor(
    name: string,
    setup: { readonly config: ServerConfig; readonly problem: PosternError | undefined },
    hub: ServerHub,
  ) {
    const { config, problem } = setup;
    this.name = name;
    this.prefix = toPrefix(name, config);
    this.#config = config;
    this.#hub = hub;
    this.#misconfigured = problem;
    this.#mask = createMask(config);
    this.#callTimeoutMs = config.callTimeoutMs ?? hub.options.callTimeoutMs ?? defaultCallTimeoutMs;
    this.#status = {
      state: config.disabled === true ? "disabled" : "connecting",
      since: hub.now(),
    };
    this.lists = new ListKeeper(
      {
        server: name,
        prefix: this.prefix,
        bundled: config.bundled === true,
        timeoutMs: config.catalogTimeoutMs ?? defaultCatalogTimeoutMs,
        http: "url" in config,
      },
      hub,
    );
    if (problem !== undefined && config.disabled !== true) this.#fail(problem);
  }

  /** True while calls need no new connection. */
  get connected(): boolean {
    return this.#connection !== undefined;
  }

  /** Connects for the first time; never rejects. */
  async start(): Promise<void> {
    if (this.#status.state === "connecting") await this.connect().catch(() => undefined);
  }

  /**
   * Connects and reads the tools, unless that is done or under way.
   *
   * @throws {PosternError} Why it cannot be connected.
   */
  connect(): Promise<Connection> {
    if (this.#connection !== undefined) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  state(toolCount: number): ServerState {
    const status = this.#status;
    const transport = "url" in this.#config ? "http" : "stdio";
    const facts = { name: this.name, transport, since: status.since } as const;
    if (status.state === "failed")
      return {
        ...facts,
        state: "failed",
        code: status.error.code,
        reason: status.reason,
        toolCount,
      };
    const connection = this.#connection;
    if (status.state !== "connected" || connection === undefined)
      return { ...facts, state: status.state === "disabled" ? "disabled" : "connecting" };
    const { era, protocolVersion, serverInfo, instructions, pid } = connection;
    return {
      ...facts,
      state: "connected",
      era,
      protocolVersion,
      ...(serverInfo === undefined ? {} : { serverInfo }),
      ...(pid === undefined ? {} : { pid }),
      toolCount,
      dropped: this.lists.dropped(),
      repaired: this.lists.repaired(),
      noiseLines: connection.noiseLines(),
      ...(this.#config.instructions === true && instructions !== undefined ? { instructions } : {}),
    };
  }

  /** Why something of it is not in the list now, if so. */
  missing(): MissingServer | undefined {
    const { state, since } = this.#status;
    if (state === "disabled") return undefined;
    if (this.#status.state === "failed" && !this.lists.has("tool"))
      return { server: this.name, reason: this.#status.reason, since };
    if (state === "connecting" && !this.lists.has("tool"))
      return { server: this.name, reason: "It is still being connected.", since };
    const failure = this.lists.failure();
    if (failure === undefined) return undefined;
    const reason = this.#mask(toReason(failure.error));
    return { server: this.name, reason, since: failure.since };
  }

  /** Reads lists that are asked for the first time. */
  async load(kinds: readonly ListingKind[]): Promise<void> {
    if (this.#connection !== undefined) await this.lists.load(kinds, this.#connection);
  }

  /** Calls a tool; the caller has made sure that it is connected and lists the tool. */
  async call(listing: Listing, call: ToolCall): Promise<CallOutcome> {
    const connection = this.#find();
    const request = toToolRequest(listing, call, this.#toSending(connection));
    try {
      return toOutcome(await sendRequest(request), request, listing.name);
    } catch (error) {
      const answer = await this.#recover(error, request, listing);
      return answer instanceof Error
        ? errorResult(answer)
        : toOutcome(answer, request, listing.name);
    }
  }

  #toSending(
    connection: Connection,
  ): Pick<ServerRequest, "server" | "connection" | "isOurs" | "timeoutMs"> {
    const isOurs = this.#config.bundled === true && "command" in this.#config;
    return { server: this.name, connection, isOurs, timeoutMs: this.#callTimeoutMs };
  }

  /** Sends any other request; the caller has made sure that it is connected. */
  async request(method: string, params: JsonObject, context: CallContext): Promise<JsonObject> {
    const connection = this.#find();
    if (connection.era === "modern" && /^resources\/(un)?subscribe$/.test(method)) {
      this.#subscriptions.update(method, params["uri"]);
      this.#subscriptions.watch(connection);
      return {};
    }
    const request = { ...this.#toSending(connection), method, params, context };
    const reply = await sendRequest(request).catch(async (error: unknown) => {
      const answer = await this.#recover(error, request);
      if (answer instanceof Error) throw answer;
      return answer;
    });
    const result = toResult(reply, request);
    this.#subscriptions.update(method, params["uri"]);
    return result;
  }

  /** Whether it is connected and takes such requests. */
  can(capability: string, era: "legacy" | "modern"): boolean {
    const connection = this.#connection;
    return connection?.era === era && connection.capabilities[capability] !== undefined;
  }

  async close(): Promise<void> {
    this.lists.close();
    this.#subscriptions.close();
    // It ends at once, as the pool's signal is aborted; what it had started is then tracked.
    await this.#connecting?.catch(() => undefined);
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    connection.wire.toLostError = () => poolErrors.POOL_CLOSED();
    delete connection.wire.onlost;
    await connection.close();
  }

  /**
   * Deals with a request that got no answer. A session the server forgot is opened anew and the request sent once
   * more, as the server refused it unread.
   *
   * @param listing - The tool that is called: where it is another one by then, nothing is sent.
   * @returns The answer of the second try, or the error that is the result of the call.
   * @throws What the call rejects with.
   */
  async #recover(
    error: unknown,
    request: ServerRequest,
    listing?: Listing,
  ): Promise<Reply | typeof timedOut | Error> {
    if (request.context.signal.aborted) throw error;
    const failure = toSendFailure(error, request);
    if (failure.kind === "request") {
      const { error: known } = failure;
      if (isPosternError(known) && (known.code === "HTTP_ERROR" || known.code === "NOT_JSON"))
        return known;
      throw known;
    }
    const reason = failure.kind === "unreachable" ? failure.reason : "it forgot our session";
    const lost = poolErrors.CONNECTION_LOST({ server: this.name, reason });
    this.#drop(request.connection, lost);
    if (failure.kind === "unreachable") throw lost;
    const connection = await this.connect();
    if (listing !== undefined && !this.lists.listings("tool").includes(listing))
      return toolErrors.UNKNOWN_TOOL({ name: listing.name });
    return sendRequest({ ...request, connection }).catch((second: unknown) => {
      throw request.context.signal.aborted ? second : lost;
    });
  }

  #find(): Connection {
    if (this.#connection !== undefined) return this.#connection;
    throw poolErrors.CONNECTION_LOST({ server: this.name, reason: "it was lost just now" });
  }

  async #open(): Promise<Connection> {
    if (this.#hub.signal.aborted) throw poolErrors.POOL_CLOSED();
    if (this.#misconfigured !== undefined) throw this.#misconfigured;
    const refusal = this.#lastRefusal;
    if (refusal !== undefined && this.#hub.now() - refusal.at < pauseAfterFailureMs)
      throw refusal.error;
    this.#status = { state: "connecting", since: this.#hub.now() };
    try {
      return await this.#openNow();
    } catch (error) {
      const known = toConnectError(this.name, error);
      this.#lastRefusal = { error: known, at: this.#hub.now() };
      this.#fail(known);
      throw known;
    }
  }

  async #openNow(): Promise<Connection> {
    const { options, signal } = this.#hub;
    const written = this.#config;
    const timeoutMs = written.connectTimeoutMs ?? defaultConnectTimeoutMs;
    const resolving = Promise.resolve(options.resolve?.(this.name, written));
    const toError = (): unknown => poolErrors.CONNECT_TIMEOUT({ server: this.name, timeoutMs });
    const resolved = (await withLimit(resolving, { timeoutMs, signal, toError })) ?? written;
    this.#mask = createMask(written, resolved);
    const connection = await openConnection({
      name: this.name,
      written,
      resolved,
      options,
      signal,
      onClosing: (closing) => this.#hub.track(closing),
    });
    const before = this.lists.listings("tool");
    try {
      const { wire } = connection;
      wire.onnotification = ({ method, params }) =>
        this.#onNotification(connection, method, params as JsonObject | undefined);
      wire.onlost = () => this.#drop(connection, wire.toLostError() as PosternError);
      await withoutAbort(this.lists.read("tool", connection), signal);
      if (wire.lost) throw wire.toLostError();
    } catch (error) {
      delete connection.wire.onlost;
      this.#hub.track(connection.close());
      throw error;
    }
    this.#connection = connection;
    this.#status = { state: "connected", since: this.#hub.now() };
    this.#subscriptions.open(connection, () => this.lists.refreshAll(connection));
    this.#hub.emit({ type: "connected", server: this.name });
    if (this.lists.listings("tool") !== before) this.#hub.changed(["tool"], "again");
    return connection;
  }

  #onNotification(connection: Connection, method: string, params: JsonObject = {}): void {
    this.lists.onNotification(method, connection);
    this.#hub.emit({ type: "notification", server: this.name, method, params });
  }

  /** A connection is of no use any more. Its lists stay: the next call connects again. */
  #drop(connection: Connection, error: PosternError): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#subscriptions.lose();
    delete connection.wire.onlost;
    this.#hub.track(connection.close());
    this.#fail(error);
  }

  #fail(error: PosternError): void {
    const reason = this.#mask(toReason(error));
    this.#status = { state: "failed", since: this.#hub.now(), error, reason };
    if (this.#hub.signal.aborted) return;
    const type = error.code === "CONNECTION_LOST" ? "lost" : "failed";
    this.#hub.emit({ type, server: this.name, code: error.code, reason });
  }
}
