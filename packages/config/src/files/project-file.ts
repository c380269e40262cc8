import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Parsed } from "../problem.js";
import { emptyPosternConfig, parsePosternConfig } from "../project/parse-postern-config.js";
import type { PosternConfig } from "../project/postern-config.js";
import { readConfigFile, readOwnerFile, type ReadFile } from "./read-config-file.js";

/** One reading of a `postern.json`. */
export interface PosternFile {
  /** As given. */
  readonly path: string;
  /** SHA-256, in hex, of the very text that was parsed; undefined where the file could not be read. */
  readonly sha256: string | undefined;
  /** What it says, or what is wrong with it. */
  readonly parsed: Parsed<PosternConfig>;
}

/**
 * Reads a `postern.json`.
 *
 * @param path - The file.
 * @returns The reading; undefined where there is no such file. What is wrong with it is in the problems, never thrown.
 */
export async function readPosternFile(path: string): Promise<PosternFile | undefined> {
  return toPosternFile(path, await readConfigFile(path));
}

function toPosternFile(path: string, read: ReadFile): PosternFile | undefined {
  if (read.kind === "missing") return undefined;
  if (read.kind === "unreadable") {
    const parsed = Object.freeze({ ok: false, problems: [read.problem] } as const);
    return Object.freeze({ path, sha256: undefined, parsed });
  }
  const parsed = parsePosternConfig(read.text, path);
  return Object.freeze({ path, sha256: toSha256(read.text), parsed });
}

/**
 * Reads the owner's `settings.json`.
 *
 * @param home - POSTERN_HOME.
 * @returns The settings; `emptyPosternConfig` where the file is missing. Problems are never thrown.
 */
export async function readSettings(home: string): Promise<Parsed<PosternConfig>> {
  const path = join(home, "settings.json");
  const file = toPosternFile(path, await readOwnerFile(path));
  return file?.parsed ?? Object.freeze({ ok: true, value: emptyPosternConfig, warnings: [] });
}

/**
 * Finds a project's file: `postern.json` in that folder itself, never in one above it, so that nobody else's file counts.
 *
 * @param directory - The project's folder.
 * @returns Its path; also that of one that cannot be read, so that it is reported and not passed over.
 */
export async function findProjectFile(directory: string): Promise<string | undefined> {
  const file = join(directory, "postern.json");
  try {
    await lstat(file);
    return file;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : file;
  }
}

/** The digest of a text's UTF-8 bytes, in hex. */
export function toSha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
