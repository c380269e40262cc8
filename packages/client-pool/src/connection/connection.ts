import type { JsonObject } from "@postern/tool";
import type { Wire } from "./wire.js";

/** An open connection whose handshake is done. */
export interface Connection {
  /** Carries requests. */
  readonly wire: Wire;
  /** Which half of the protocol the server speaks. */
  readonly era: "legacy" | "modern";
  /** The negotiated revision. */
  readonly protocolVersion: string;
  /** What the server says it can do. */
  readonly capabilities: JsonObject;
  /** What the server calls itself. */
  readonly serverInfo?: { readonly name: string; readonly version: string };
  /** What the server would tell a model. */
  readonly instructions?: string;
  /** The process, for a command. */
  readonly pid?: number;
  /** How many lines of standard output were not protocol. */
  noiseLines(): number;
  /**
   * Listens to a modern server's changes, which it tells only who asks. Ends with the connection.
   *
   * @param filter - What to listen for.
   * @param onOpen - Called each time the stream is open again after it broke: something may have been missed.
   */
  watch(filter: WatchFilter, onOpen: () => void): Watch;
  /** Ends it and every process of it. */
  close(): Promise<void>;
}

/** What to listen for. */
export interface WatchFilter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

/** A stream of changes. */
export interface Watch {
  /** Ends it. */
  close(): void;
}
