import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { PathSettings, ServerEntry } from "@postern/config";
import type { PathConsentOptions } from "@postern/policy/paths";
import type { Interceptor, Listing } from "@postern/tool";

/** What decides which paths need consent. */
export interface PathConsent {
  /** The owner's folder. */
  readonly home: string;
  /** The root: the absolute path of the folder that tools may use without asking. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: PathSettings;
  /** The owner's servers, by name. */
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** Where a server's process works, by its name; undefined for one that has none here. */
  readonly findDirectory: (server: string) => string | undefined;
}

/**
 * Finds the folder that tools may use without asking.
 *
 * @param project - The project folder.
 * @param settings - The `paths` part of the configuration.
 * @returns Its absolute path.
 */
export function findRoot(project: string, settings: PathSettings | undefined): string {
  return resolve(project, settings?.root ?? ".");
}

/**
 * Makes the gate that asks the owner for paths. What it needs is loaded at the first call.
 *
 * @param consent - What decides.
 * @returns The interceptors: none where the owner turned consent off.
 */
export function createPathGate(consent: PathConsent): readonly Interceptor[] {
  if (consent.settings.consent === "off") return [];
  let loaded: Promise<Interceptor> | undefined;
  return [
    (next) => async (call) => {
      const gate = await (loaded ??= loadGate(consent));
      return gate(next)(call);
    },
  ];
}

async function loadGate(consent: PathConsent): Promise<Interceptor> {
  const { home, root, env, settings, servers, findDirectory } = consent;
  const [
    { askForPaths, createSensitiveNames },
    { createFileConsentStore, findMatches, toRealPath },
    real,
  ] = await Promise.all([
    import("@postern/policy/paths"),
    import("@postern/policy/consent"),
    realpath(root).catch(() => root),
  ]);
  const patterns = [env["POSTERN_SENSITIVE_PATTERNS"] ?? "", ...(settings.sensitive ?? [])];
  const options: PathConsentOptions = {
    root: real,
    home: env["HOME"] ?? homedir(),
    consent: settings.consent === "deny" ? "deny" : "ask",
    isSensitive: createSensitiveNames(patterns.join(",")),
    toRealPath,
    findMatches,
    store: createFileConsentStore(toConsentFolder(home), real),
    findDirectory: ({ server }) => findDirectory(server),
    findOpen: ({ server }: Listing) => findNamed(servers.get(server)),
    ...(settings.checkpaths === undefined ? {} : { checkpaths: settings.checkpaths }),
  };
  return askForPaths(options);
}

/**
 * Finds where the owner's consents are kept.
 *
 * @param home - The owner's folder.
 * @returns The folder, for `createFileConsentStore`.
 */
export function toConsentFolder(home: string): string {
  return join(home, "consents");
}

/** What the owner named when the server was set up is what the server is for: a folder to serve, a database. */
function findNamed(entry: ServerEntry | undefined): readonly string[] {
  if (entry?.transport.kind !== "stdio") return [];
  return entry.transport.args.filter((arg) => isAbsolute(arg) && existsSync(arg));
}
