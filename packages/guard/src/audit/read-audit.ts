import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@postern/tool";

/**
 * Reads the last records of an audit, of all its segments. Nothing is verified.
 *
 * @param folder - The audit's folder.
 * @param last - At most so many.
 * @returns The records by their time, the oldest first; none where there is no audit.
 */
export async function readAudit(folder: string, last: number): Promise<readonly JsonObject[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const records: JsonObject[] = [];
  // Names begin with the time of their first record: the newest come last.
  for (const name of names
    .filter((each) => each.endsWith(".jsonl"))
    .toSorted()
    .toReversed()) {
    const lines = (await readFile(join(folder, name), "utf8")).split("\n").slice(0, -1);
    records.push(...lines.slice(-last).flatMap(parse));
    if (records.length >= 8 * last) break;
  }
  return records.toSorted((a, b) => toTime(a) - toTime(b)).slice(-last);
}

function toTime(record: JsonObject): number {
  return typeof record["time"] === "number" ? record["time"] : 0;
}

function parse(line: string): readonly JsonObject[] {
  try {
    const value = JSON.parse(line) as unknown;
    return isJsonObject(value) ? [value] : [];
  } catch {
    return [];
  }
}
