import type { ServerIdentity } from "@postern/tool-server";

/** Where a governed set is served. */
export type ProxyTarget =
  | { readonly kind: "stdio" }
  | {
      readonly kind: "http";
      /** 0 takes a free one. */
      readonly port: number;
      /** Address to listen on. Default: `127.0.0.1`. */
      readonly host?: string;
      /** Further host names that requests may be addressed to, for a tunnel or a reverse proxy. */
      readonly allowHosts?: readonly string[];
      /** Serve without a bearer: only on loopback, and only what `read_only` permits. */
      readonly noAuth?: boolean;
    };

/** How a proxy introduces itself and reports. */
export interface ProxyOptions {
  /** Default: `postern`, and the version of this package. */
  readonly identity?: ServerIdentity;
  /** The bearer token. Default: a new one. */
  readonly token?: string;
  /** Gets what never reaches a caller. */
  readonly onError?: (error: unknown) => void;
}

/** A governed set that is being served. */
export interface Proxy extends AsyncDisposable {
  /** Resolves when the client is gone, or the proxy was closed. */
  readonly closed: Promise<void>;
  /** Where HTTP clients find it. */
  readonly url?: string;
  /** What HTTP clients must show, unless it serves without. */
  readonly token?: string;
  /** Stops serving. The host stays open. */
  close(): Promise<void>;
}
