import { anonymousCaller, type Caller } from "@postern/tool";
import type { Authenticate } from "./bearer.js";
import { serverErrors } from "./errors.js";
import { createDoor, toHostName } from "./http/door.js";
import { FetchExchange } from "./http/fetch-exchange.js";
import { HttpService } from "./http/http-service.js";
import { exchangeFace } from "./http/exchange-face.js";
import { createReporter, type ReportError, type Serve, type ServerIdentity } from "./identity.js";
import { toQuestionSettings, type QuestionOptions } from "./round-trip/question-options.js";
import { RoundTrip } from "./round-trip/round-trip.js";

/** How an endpoint guards itself. */
export interface EndpointOptions {
  /** Finds out who sends a request. Without it everybody is `caller`. */
  readonly authenticate?: Authenticate;
  /** Who everybody is when there is no `authenticate`. Default: the anonymous caller. */
  readonly caller?: Caller;
  /**
   * Host names, beside the loopback names, that a request may be addressed to: `name` for any port, or `name:port`.
   * `X-Forwarded-Host` never counts.
   */
  readonly allowedHosts?: readonly string[];
  /** Origins, beside loopback and the same host, whose pages may send requests and read answers: `https://name`. */
  readonly allowedOrigins?: readonly string[];
  /** Largest request body, in bytes. Default: 10 MiB. */
  readonly maxBodyBytes?: number;
  /** Whether arguments are checked against a tool's input schema before the call. Default: true. */
  readonly validateArguments?: boolean;
  /** The only path served. Default: `/mcp`. */
  readonly path?: string;
  /** How questions of calls reach a person. */
  readonly questions?: QuestionOptions;
  /** Gets what never reaches a caller: unknown errors with their stacks. */
  readonly onError?: ReportError;
}

/** A set of tools as an MCP server behind `fetch`. */
export interface McpEndpoint extends AsyncDisposable {
  /** Answers one HTTP request. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Whether it asks who sends a request. */
  readonly authenticated: boolean;
  /** The host names it answers to beside the loopback names. */
  readonly allowedHosts: readonly string[];
  /** The path it serves. */
  readonly path: string;
  /** Ends every stream and call, and answers 503 from then on. */
  close(): Promise<void>;
}

const defaultMaxBodyBytes = 10 * 1024 * 1024;

/**
 * Serves tools over HTTP, as a function from `Request` to `Response`: protocol 2026-07-28, and every older revision
 * without sessions, at one path. A request is looked at in this order: Host, Origin, path, credential, method and
 * content type, size; only then at its message.
 *
 * @param identity - How the server introduces itself.
 * @param tools - What is served: a set, or a function that gives each caller a set.
 * @param options - How it guards itself.
 * @returns The endpoint; give it to `serveHttp` of `@postern/tool-server/node`, or mount its `fetch`.
 * @throws {PosternError} `INVALID_OPTIONS` for a path, host, origin, limit or key that cannot be used.
 */
export function createMcpEndpoint(
  identity: ServerIdentity,
  tools: Serve,
  options: EndpointOptions = {},
): McpEndpoint {
  const { authenticate, path = "/mcp", maxBodyBytes = defaultMaxBodyBytes } = options;
  const allowedHosts = Object.freeze([...(options.allowedHosts ?? [])]);
  const allowedOrigins = [...(options.allowedOrigins ?? [])];
  assertOptions({ path, maxBodyBytes, allowedHosts, allowedOrigins });
  const report = createReporter(options.onError);
  const roundTrip = new RoundTrip(identity.name, toQuestionSettings(options.questions), { report });
  const service = new HttpService({
    identity: Object.freeze({ ...identity }),
    tools,
    door: createDoor({ allowedHosts, allowedOrigins, path }),
    authenticate,
    caller: options.caller ?? anonymousCaller,
    maxBodyBytes,
    validateArguments: options.validateArguments ?? true,
    report,
    roundTrip,
  });
  const close = (): Promise<void> => service.close();
  const endpoint = {
    fetch(request: Request): Promise<Response> {
      const exchange = new FetchExchange(request);
      void service.handle(exchange);
      return exchange.response;
    },
    authenticated: authenticate !== undefined,
    allowedHosts,
    path,
    close,
    [Symbol.asyncDispose]: close,
  };
  Object.defineProperty(endpoint, exchangeFace, { value: service });
  return Object.freeze(endpoint);
}

function assertOptions(options: {
  readonly path: string;
  readonly maxBodyBytes: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}): void {
  const { path, maxBodyBytes, allowedHosts, allowedOrigins } = options;
  const host = allowedHosts.find((name) => toHostName(name) === undefined);
  const origin = allowedOrigins.find((name) => !/^https?:\/\/[^/?#@\\\s]+$/i.test(name));
  const problem = !/^\/[^?#\s]*$/.test(path)
    ? "`path` must begin with a slash and hold no query"
    : !Number.isSafeInteger(maxBodyBytes) || maxBodyBytes < 1
      ? "`maxBodyBytes` must be a whole number of bytes, at least 1"
      : host !== undefined
        ? `${JSON.stringify(host)} in \`allowedHosts\` is not a host name, or name:port`
        : origin !== undefined
          ? `${JSON.stringify(origin)} in \`allowedOrigins\` is not of the form https://name`
          : undefined;
  if (problem !== undefined) throw serverErrors.INVALID_OPTIONS({ problem });
}
