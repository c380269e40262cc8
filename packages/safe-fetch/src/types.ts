/** How a safe fetch is made. */
export interface SafeFetchOptions {
  /**
   * The hosts that may lie on a private network: "host" or "host:port". Read at every hop.
   * A name opens the loopback, private, carrier-grade-NAT and unique-local ranges; a literal address opens itself.
   * Default: none.
   */
  readonly allowHosts?: () => readonly string[];
  /** All addresses of a name, in order of preference. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** The User-Agent of requests that set none. Default: "postern-safe-fetch". */
  readonly userAgent?: string;
}

/** What is asked for, and within which limits. */
export interface SafeRequest {
  /** Default: "GET". */
  readonly method?: "GET" | "POST";
  /** Only Accept, Accept-Language, Accept-Encoding and User-Agent follow a redirect to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is posted. */
  readonly body?: string;
  /** For everything together: names, connections, all redirects and the whole body. */
  readonly timeoutMs: number;
  /** Most bytes of the body, after decompression. */
  readonly maxBytes: number;
  /** Most redirects that are followed. Default: 5. */
  readonly maxHops?: number;
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** What a larger body does: ends there, or fails. Default: "fail". */
  readonly onTooLarge?: "truncate" | "fail";
}

/** The headers of a response. */
export interface SafeHeaders {
  /** The value of a header, several joined by ", "; null when there is none. The name in any case. */
  get(name: string): string | null;
}

/** A body that was read to its end or to the limit. */
export interface SafeBytes {
  /** The body, or as much of it as fits. */
  readonly data: Uint8Array;
  /** Whether the body is longer than the limit. */
  readonly truncated: boolean;
}

/** What a server answered. Read its body once, or close it: until then it holds a connection, at most to the time-out. */
export interface SafeResponse {
  /** The status code (RFC 9110 §15). */
  readonly status: number;
  /** The header fields of the last answer. */
  readonly headers: SafeHeaders;
  /** Where it came from in the end. */
  readonly url: string;
  /** The URLs that redirected, in order; the first is the one asked for. Empty when there was no redirect. */
  readonly redirects: readonly string[];
  /** The decompressed body, piece by piece, once. Rejects as `bytes` does. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Reads the whole body.
   *
   * @throws {PosternError} `RESPONSE_TOO_LARGE`, `RESPONSE_UNREADABLE`, `FETCH_TIMEOUT`, `CONNECTION_FAILED`, `ABORTED`
   */
  bytes(): Promise<SafeBytes>;
  /** Gives the connection up, whatever was read. */
  close(): Promise<void>;
}

/** A fetch that connects only to addresses it has checked. */
export interface SafeFetch extends AsyncDisposable {
  /**
   * Fetches a URL that a stranger chose. Any status is an answer, also an error one.
   *
   * @param url - http or https.
   * @param request - What is asked for.
   * @returns The answer to the last hop, its body unread.
   * @throws {PosternError} `INVALID_URL`, `INVALID_HEADER`, `ADDRESS_REFUSED`, `HOST_UNKNOWN`, `CONNECTION_FAILED`,
   *   `TOO_MANY_REDIRECTS`, `REDIRECT_REFUSED`, `FETCH_TIMEOUT`, `RESPONSE_TOO_LARGE`, `RESPONSE_UNREADABLE`, `ABORTED`
   */
  (url: string | URL, request: SafeRequest): Promise<SafeResponse>;
}
