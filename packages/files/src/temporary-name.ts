import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { readOwnIdentity, type ProcessIdentity } from "./process-identity.js";

/** A file system takes names of 255 bytes, and ours come on top. */
const maxBaseLength = 60;

/** What the names of all temporary files beside a file begin with. */
export function toTemporaryPrefix(path: string): string {
  return `.${basename(path).slice(0, maxBaseLength)}.`;
}

/** Makes a name beside a file. It says whose it is, so that others can tell when it was left behind. */
export async function createTemporaryPath(path: string): Promise<string> {
  const { pid, start, boot, place } = await readOwnIdentity();
  const owner = [pid, start, boot, place, randomBytes(6).toString("hex")].join("-");
  return join(dirname(path), `${toTemporaryPrefix(path)}${owner}.tmp`);
}

/** Reads the owner out of such a name. */
export function parseTemporaryName(name: string): ProcessIdentity | undefined {
  const [, pid, start, boot, place] =
    /\.(\d+)-(\d*)-([\da-f]+)-([\da-f]+)-[\da-f]+\.tmp$/.exec(name) ?? [];
  if (start === undefined || boot === undefined || place === undefined) return undefined;
  return { pid: Number(pid), start, boot, place };
}
