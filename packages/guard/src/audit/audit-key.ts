import { createHash, createHmac, randomBytes } from "node:crypto";
import { link, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { canonicalJson, type JsonValue } from "@postern/tool";
import { ensurePrivateDirectory, readTextFile } from "@postern/files";
import { auditErrors } from "./errors.js";

/** The name of the file that holds the key. */
export const keyName = "audit.key";

/**
 * Reads the key of an audit's folder, and makes one where there is none.
 *
 * @param folder - The folder, private; created when missing.
 * @returns 32 bytes.
 * @throws {PosternError} `AUDIT_KEY_BROKEN`; `NOT_PRIVATE`, `FILE_UNREADABLE` of `@postern/files`.
 */
export async function openKey(folder: string): Promise<Buffer> {
  await ensurePrivateDirectory(folder);
  const path = join(folder, keyName);
  return (await readKey(path)) ?? (await createKey(path)) ?? (await openKey(folder));
}

/**
 * Reads the key of an audit's folder.
 *
 * @param path - The key's file.
 * @returns The key; undefined when there is none.
 * @throws {PosternError} `AUDIT_KEY_BROKEN`.
 */
export async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readTextFile(path);
  if (text === undefined) return undefined;
  if (!/^[\da-f]{64}\n$/.test(text)) throw auditErrors.AUDIT_KEY_BROKEN({ file: path });
  return Buffer.from(text.trim(), "hex");
}

/** Whole from the moment it has its name: of two who make it at once, one's counts. Undefined for the other. */
async function createKey(path: string): Promise<Buffer | undefined> {
  const key = randomBytes(32);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${key.toString("hex")}\n`);
    await file.sync();
    await file.close();
    await link(draft, path);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return undefined;
  } finally {
    await unlink(draft);
  }
}

/**
 * Digests a value.
 *
 * @param value - Any JSON.
 * @returns The SHA-256 of its canonical form, in hex.
 */
export function digest(value: JsonValue): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/**
 * Marks a value, so that nobody without the key can write the same mark.
 *
 * @param key - The key. @param value - Any JSON.
 * @returns The HMAC-SHA-256 of its canonical form, in hex.
 */
export function mark(key: Buffer, value: JsonValue): string {
  return createHmac("sha256", key).update(canonicalJson(value)).digest("hex");
}
