import type { JsonObject } from "../json/json-value.js";
import type { ServerEntry } from "../mcp/server-entry.js";
import type { Place } from "../problem.js";

/** How much tools may do: everything, or only what is declared read-only. */
export type ConfiguredLevel = "full" | "read_only";

/** Which of the bundled tools are offered. */
export interface BundledToolsSettings {
  /** Absent = as the program decides. */
  readonly enabled?: boolean;
  /** Only tools with one of these tags; absent = all; never empty. */
  readonly includeTags?: readonly string[];
  /** No tools with one of these tags. */
  readonly excludeTags?: readonly string[];
}

/** What the owner says about one tool, above the tool's own annotations; an absent field leaves them untouched. */
export interface DeclaredAccess {
  /** The tool changes nothing. */
  readonly readOnly?: boolean;
  /** The tool may destroy something. */
  readonly destructive?: boolean;
}

/** The `general` part of a `postern.json` or `settings.json`. */
export interface GeneralSettings {
  /** Absent = not said, which is `full` unless someone else says otherwise. */
  readonly accessLevel?: ConfiguredLevel;
  /** Empty where nothing is said. */
  readonly bundledTools: BundledToolsSettings;
  /** By tool: its shown name, or `server/tool`. A record without a prototype. */
  readonly toolAccess: Readonly<Record<string, DeclaredAccess>>;
}

/** A server of a domain, one member per way it can be named. */
export type DomainServer =
  /** Declared in the file itself. */
  | { readonly kind: "declared"; readonly name: string; readonly entry: ServerEntry }
  /** `{ "use": "name" }`: one of the servers of the owner's `mcp.json`; the tags narrow that entry's own further. */
  | {
      readonly kind: "use";
      readonly name: string;
      readonly use: string;
      readonly includeTags?: readonly string[];
      readonly excludeTags?: readonly string[];
      readonly at: Place;
    }
  /** Declared in a project file that the owner does not trust: to be listed, never started. It holds no transport. */
  | {
      readonly kind: "untrusted";
      readonly name: string;
      /** What would be started, unresolved, secrets masked, safe to print. */
      readonly text: string;
      readonly at: Place;
    };

/** A named group of servers. */
export interface Domain {
  /** What it is about, in the file's words: untrusted text where the file is. */
  readonly description?: string;
  /** By name, in a record without a prototype. */
  readonly servers: Readonly<Record<string, DomainServer>>;
}

/** One rule of a file for what calls may do. */
export interface GuardRule {
  /** How it is named in questions and in the audit. */
  readonly name: string;
  /** What follows from a match. */
  readonly decision: "allow" | "warn" | "review" | "block";
  /** A regular expression, as written. */
  readonly pattern: string;
  /** Shown names of tools, `*` for anything; absent = all. */
  readonly tools?: readonly string[];
  /** What the person who is asked is told. */
  readonly reason?: string;
  /** It is a project's: it can only make a decision stricter. */
  readonly raisesOnly?: true;
}

/** The `guard` part. What is absent was not said. */
export interface GuardSettings {
  /** Whether calls are judged, and whether what is judged is only recorded. */
  readonly mode?: "off" | "observe" | "enforce";
  /** What becomes of a call that needs approval. */
  readonly approvals?: "ask" | "deny" | "allow";
  /** Whether content from outside is followed into later calls. */
  readonly taint?: boolean;
  /** Rules beside those built in. */
  readonly rules?: readonly GuardRule[];
}

/** The `paths` part. What is absent was not said. */
export interface PathSettings {
  /** As written; relative to the project. */
  readonly root?: string;
  /** What becomes of a call that uses a path outside the root, or a file that holds secrets. */
  readonly consent?: "ask" | "deny" | "off";
  /** Patterns of further files that hold secrets. */
  readonly sensitive?: readonly string[];
  /** By tool: its shown name, or `server/tool`. A record without a prototype. */
  readonly checkpaths?: Readonly<Record<string, readonly string[]>>;
}

/** A `postern.json`, or the owner's `settings.json`, which has the same shape. */
export interface PosternConfig {
  /** What holds for every server. */
  readonly general: GeneralSettings;
  /** By name, in a record without a prototype. */
  readonly domains: Readonly<Record<string, Domain>>;
  /** As written; only that it is an object was checked. */
  readonly models?: JsonObject;
  /** What is asked, blocked and recorded. */
  readonly guard?: GuardSettings;
  /** Which paths may be touched. */
  readonly paths?: PathSettings;
}
