import type { ListingKind } from "@postern/tool";

/** A listing that is not passed on as it came, and why. */
export interface ListingProblem {
  /** What it lists. */
  readonly kind: ListingKind;
  /** Its name, if it has one; at most 100 characters. */
  readonly name: string;
  /** What is wrong with it. */
  readonly problem: string;
}

/** What is known of every server. */
export interface ServerFacts {
  /** The owner's name for it. */
  readonly name: string;
  /** How it is reached. */
  readonly transport: "stdio" | "http";
  /** When it came to its present state, in milliseconds since 1970. */
  readonly since: number;
}

/** A server that answers. */
export interface ConnectedServer extends ServerFacts {
  readonly state: "connected";
  /** Which half of the protocol it speaks. */
  readonly era: "legacy" | "modern";
  /** The negotiated revision, for instance `2025-11-25`. */
  readonly protocolVersion: string;
  /** What it calls itself; its own word. */
  readonly serverInfo?: { readonly name: string; readonly version: string };
  /** The process we started, for a command. */
  readonly pid?: number;
  /** How many of its tools are listed. */
  readonly toolCount: number;
  /** Listings that were left out. */
  readonly dropped: readonly ListingProblem[];
  /** Listings that were mended and kept. */
  readonly repaired: readonly ListingProblem[];
  /** Lines on its standard output that were not protocol. */
  readonly noiseLines: number;
  /** Its instructions, where the owner lets them cross. */
  readonly instructions?: string;
}

/** A server whose handshake or first list is under way. */
export interface ConnectingServer extends ServerFacts {
  readonly state: "connecting";
}

/** A server that cannot be used now. After a lost connection its last list stays, and a call connects again. */
export interface FailedServer extends ServerFacts {
  readonly state: "failed";
  /** The code of the failure, one of `poolErrors` or of what was thrown. */
  readonly code: string;
  /** What is wrong and what to do, for the owner. Arguments, environment values and headers are masked. */
  readonly reason: string;
  /** How many of its tools are still listed from before. */
  readonly toolCount: number;
}

/** A server that the owner switched off. */
export interface DisabledServer extends ServerFacts {
  readonly state: "disabled";
}

/** How a server is doing: one member for each state. */
export type ServerState = ConnectedServer | ConnectingServer | FailedServer | DisabledServer;
