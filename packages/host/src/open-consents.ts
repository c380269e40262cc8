import { realpath } from "node:fs/promises";
import { createFileConsentStore } from "@postern/policy/consent";
import type { ConsentStore } from "@postern/policy/paths";
import { readConfiguration } from "./configuration.js";
import { findRoot, toConsentFolder } from "./path-consent.js";

/** What the owner allowed always in a project. */
export interface Consents {
  /** The real path of the folder that needs no consent. */
  readonly root: string;
  /** Lists and revokes. */
  readonly store: ConsentStore;
}

/**
 * Opens what the owner allowed always in a project.
 *
 * @param home - The owner's folder.
 * @param project - The project folder.
 * @returns The root, and the store.
 * @throws {PosternError} `INVALID_CONFIGURATION`.
 */
export async function openConsents(home: string, project: string): Promise<Consents> {
  const { config } = await readConfiguration(home, project);
  const root = findRoot(project, config.paths);
  const real = await realpath(root).catch(() => root);
  return { root: real, store: createFileConsentStore(toConsentFolder(home), real) };
}
