/** What a failure of a connection is, in our own words. Nothing a server wrote is in it. */
export interface Failure {
  readonly reason: string;
  /** The HTTP status, where there was one. */
  readonly status?: number;
}

/** What Node says of a connection that did not come about, in words. */
const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at its address",
  ECONNRESET: "the connection was reset",
  EHOSTUNREACH: "its host cannot be reached",
  ENOTFOUND: "its host name is not known",
  ETIMEDOUT: "its host did not answer",
  UND_ERR_CONNECT_TIMEOUT: "its host did not answer",
  UND_ERR_HEADERS_TIMEOUT: "it was silent for too long",
  UND_ERR_SOCKET: "the connection was cut",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  CERT_HAS_EXPIRED: "its certificate has expired",
};

/**
 * Describes what the SDK or `fetch` rejected with.
 *
 * @param error - What was thrown.
 * @returns A reason without any text of the server, and the HTTP status if there was one.
 */
export function describeFailure(error: unknown): Failure {
  const { status, code, message, name, cause } = toFacts(error);
  if (status !== undefined) return { status, reason: describeStatus(status) };
  if (name === "UnauthorizedError") return { status: 401, reason: describeStatus(401) };
  const network = findCode(cause) ?? (typeof code === "string" ? code : undefined);
  if (network !== undefined && networkReasons[network] !== undefined)
    return { reason: networkReasons[network] };
  if (typeof code === "number")
    return { reason: `it refused the handshake with the error ${code}` };
  if (code === "REQUEST_TIMEOUT") return { reason: "it did not answer the handshake" };
  if (code === "CONNECTION_CLOSED") return { reason: "it closed the connection" };
  if (code === "ERA_NEGOTIATION_FAILED")
    return {
      reason: "it speaks no protocol revision that is asked of it; see its protocol setting",
    };
  if (message.includes("protocol version is not supported"))
    return { reason: "it speaks a protocol revision that is not known here" };
  if (network !== undefined && /^[A-Z][A-Z0-9_]{2,40}$/.test(network))
    return { reason: `the network failed with ${network}` };
  return { reason: "its answer to the handshake was not understood" };
}

function describeStatus(status: number): string {
  if (status === 401 || status === 403)
    return `it wants a sign-in, or refused the one it got (HTTP ${status})`;
  if (status === 404) return "there is no MCP endpoint at its URL (HTTP 404)";
  if (status >= 300 && status < 400)
    return `it redirects to another origin, which is not followed (HTTP ${status}); use the final URL`;
  return `it answered HTTP ${status}`;
}

interface Facts {
  readonly status?: number;
  readonly code?: unknown;
  readonly message: string;
  readonly name: string;
  readonly cause?: unknown;
}

function toFacts(error: unknown): Facts {
  if (!(error instanceof Error)) return { message: "", name: "" };
  const { code, data } = error as { code?: unknown; data?: unknown };
  const status = (data as { status?: unknown } | undefined)?.status;
  return {
    code,
    message: error.message,
    name: error.name,
    cause: error.cause ?? (data as { cause?: unknown } | undefined)?.cause,
    ...(typeof status === "number" ? { status } : {}),
  };
}

/** The code of the innermost cause that has one. */
function findCode(cause: unknown, depth = 0): string | undefined {
  if (!(cause instanceof Error) || depth > 5) return undefined;
  const { code } = cause as { code?: unknown };
  return findCode(cause.cause, depth + 1) ?? (typeof code === "string" ? code : undefined);
}
