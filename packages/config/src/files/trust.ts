import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ensurePrivateDirectory, updateFile } from "@postern/files";
import { configErrors } from "../errors.js";
import { isObject, toRecord } from "../json/json-node.js";
import type { JsonObject } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { readConfigFile } from "./read-config-file.js";
import { toSha256 } from "./project-file.js";

/** `changed`: the owner trusted another content of the same file. */
export type Trust = "trusted" | "changed" | "untrusted";

/**
 * Tells whether the owner trusts a project file, by the real path of its folder and the SHA-256 of its content.
 *
 * @param home - POSTERN_HOME.
 * @param projectFile - The project's `postern.json`.
 * @param sha256 - The digest of the reading that will be used (`PosternFile.sha256`), so that what is judged is what
 * counts; left out, the file is read now.
 * @returns `untrusted` also for a file that is missing or cannot be read.
 * @throws {PosternError} `FILE_BROKEN` and `TRUST_NOT_PRIVATE` for `trust.json` itself; NOT_PRIVATE of `@postern/files`
 * for its folder.
 */
export async function readTrust(
  home: string,
  projectFile: string,
  sha256?: string,
): Promise<Trust> {
  const path = await findRealPath(projectFile);
  const digest = sha256 ?? (await readDigest(projectFile));
  if (path === undefined || digest === undefined) return "untrusted";
  const trusted = await readTrusted(home);
  const known = Object.hasOwn(trusted, path) ? trusted[path] : undefined;
  if (known === undefined) return "untrusted";
  return known === digest.toLowerCase() ? "trusted" : "changed";
}

/**
 * Trusts a project file with the content that was shown.
 *
 * @param sha256 - The digest of what was shown; the file must still have it.
 * @throws {PosternError} `TRUST_CHANGED`, `PROJECT_FILE_MISSING`, `FILE_BROKEN`, `TRUST_NOT_PRIVATE`.
 */
export async function writeTrust(home: string, projectFile: string, sha256: string): Promise<void> {
  const path = await findRealPath(projectFile);
  const digest = await readDigest(projectFile);
  if (path === undefined || digest === undefined)
    throw configErrors.PROJECT_FILE_MISSING({ file: projectFile });
  if (digest !== sha256.toLowerCase()) throw configErrors.TRUST_CHANGED({ file: projectFile });
  await ensurePrivateDirectory(home);
  await updateTrusted(home, (trusted) => toRecord([...Object.entries(trusted), [path, digest]]));
}

/**
 * Stops trusting a project file.
 *
 * @returns False where it was not trusted.
 * @throws {PosternError} `FILE_BROKEN`, `TRUST_NOT_PRIVATE`.
 */
export async function deleteTrust(home: string, projectFile: string): Promise<boolean> {
  // A file that is gone can still be named by the path it had.
  const path = (await findRealPath(projectFile)) ?? projectFile;
  if (!Object.hasOwn(await readTrusted(home), path)) return false;
  await updateTrusted(home, (trusted) =>
    toRecord(Object.entries(trusted).filter(([known]) => known !== path)),
  );
  return true;
}

type Trusted = Readonly<Record<string, string>>;

function toTrustPath(home: string): string {
  return join(home, "trust.json");
}

async function readTrusted(home: string): Promise<Trusted> {
  const file = toTrustPath(home);
  const read = await readConfigFile(file);
  if (read.kind === "missing") return toRecord<string>([]);
  if (read.kind === "unreadable")
    throw configErrors.FILE_BROKEN({ file, problem: read.problem.message });
  await ensurePrivateDirectory(home);
  await assertPrivate(file);
  return parseTrusted(read.text, file);
}

async function updateTrusted(home: string, change: (trusted: Trusted) => Trusted): Promise<void> {
  const file = toTrustPath(home);
  await updateFile(
    file,
    async (text) => {
      if (text !== undefined) await assertPrivate(file);
      const trusted = change(text === undefined ? toRecord<string>([]) : parseTrusted(text, file));
      const projects = Object.entries(trusted).map(([path, sha256]) => [path, { sha256 }] as const);
      return `${JSON.stringify({ projects: toRecord(projects) }, undefined, 2)}\n`;
    },
    { mode: 0o600 },
  );
}

function parseTrusted(text: string, file: string): Trusted {
  const parsed = parseJson(text, file);
  if (!parsed.ok)
    throw configErrors.FILE_BROKEN({ file, problem: parsed.problems[0]?.message ?? "" });
  const { value } = parsed.value;
  const projects = isObject(value) ? value["projects"] : undefined;
  if (!isObject(projects)) throw wrongForm(file);
  return toRecord(
    Object.entries(projects).map(([path, entry]) => [path, toDigest(entry, file)] as const),
  );
}

function toDigest(entry: JsonObject[string], file: string): string {
  const digest = isObject(entry) ? entry["sha256"] : undefined;
  if (typeof digest !== "string" || !/^[0-9a-f]{64}$/.test(digest)) throw wrongForm(file);
  return digest;
}

function wrongForm(file: string): Error {
  return configErrors.FILE_BROKEN({ file, problem: "It does not have the form it is written in." });
}

/** Whoever can write this file decides which programs a repository may start. */
async function assertPrivate(file: string): Promise<void> {
  const own = process.geteuid?.();
  if (own === undefined) return;
  const { uid, mode } = await stat(file);
  if ((uid !== own && uid !== 0) || (mode & 0o022) !== 0)
    throw configErrors.TRUST_NOT_PRIVATE({ file });
}

/**
 * The file in the real path of its folder. A link in the place of the file is not followed: a repository could link to
 * a file that is trusted elsewhere, and have its relative commands run in its own folder.
 */
async function findRealPath(file: string): Promise<string | undefined> {
  try {
    return join(await realpath(dirname(file)), basename(file));
  } catch {
    return undefined;
  }
}

async function readDigest(file: string): Promise<string | undefined> {
  const read = await readConfigFile(file);
  return read.kind === "text" ? toSha256(read.text) : undefined;
}
