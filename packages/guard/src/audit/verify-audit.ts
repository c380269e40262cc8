import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { readTextFile } from "@postern/files";
import { digest, keyName, mark, readKey } from "./audit-key.js";
import { genesis, headsName, type AuditHead } from "./audit-log.js";

/** What became of a segment. `torn`: its last line was not finished when its process ended, which is no tampering. */
export type SegmentState =
  | "whole"
  | "torn"
  | "changed"
  | "cut"
  | "replaced"
  | "missing"
  | "unknown";

/** One segment of an audit, verified. */
export interface SegmentReport {
  /** The name of its file. */
  readonly segment: string;
  /** What became of it. */
  readonly state: SegmentState;
  /** Records that are as they were written. */
  readonly records: number;
  /** What is wrong, with the line, in words; empty when nothing is. */
  readonly problem: string;
}

/** An audit, verified. */
export interface AuditReport {
  /** Whether nothing was changed, cut, replaced or taken away. */
  readonly isWhole: boolean;
  /** Every segment, by name. */
  readonly segments: readonly SegmentReport[];
}

/**
 * Verifies an audit: each segment's chain, the head beside it, and that no segment is missing.
 *
 * @param folder - The audit's folder.
 * @returns What became of each segment. A folder without anything is whole.
 * @throws {PosternError} `AUDIT_KEY_BROKEN`; `FILE_UNREADABLE` of `@postern/files`.
 */
export async function verifyAudit(folder: string): Promise<AuditReport> {
  const [names, heads, key] = await Promise.all([
    listFiles(folder),
    listFiles(join(folder, headsName)),
    readKey(join(folder, keyName)),
  ]);
  const files = names.filter((name) => name.endsWith(".jsonl"));
  const headed = heads.flatMap((name) => (name.endsWith(".jsonl.head") ? [name.slice(0, -5)] : []));
  const segments: SegmentReport[] = [];
  for (const segment of [...new Set([...files, ...headed])].toSorted()) {
    if (!files.includes(segment))
      segments.push({ segment, state: "missing", records: 0, problem: "its file is gone" });
    else segments.push(await verifySegment({ folder, segment, key }));
  }
  const isWhole = segments.every(({ state }) => state === "whole" || state === "torn");
  return { isWhole, segments };
}

interface Verifying {
  readonly folder: string;
  readonly segment: string;
  readonly key: Buffer | undefined;
}

async function verifySegment({ folder, segment, key }: Verifying): Promise<SegmentReport> {
  const head = await readHead(join(folder, headsName, `${segment}.head`));
  const chain = await readChain(join(folder, segment), segment);
  const report = (state: SegmentState, problem: string): SegmentReport => ({
    segment,
    state,
    records: chain.hashes.length,
    problem,
  });
  if (chain.isForeign) return report("replaced", "its first line is not that of this segment");
  if (chain.problem !== "") return report("changed", chain.problem);
  if (key === undefined) return report("unknown", `the key is gone: ${keyName}`);
  if (head === undefined) return report("unknown", "its head is gone");
  const { mac, ...body } = head;
  if (body["segment"] !== segment || mac !== mark(key, body))
    return report("replaced", "its head is not one of this audit");
  if (chain.hashes.length < head.seq)
    return report("cut", `it ends at line ${chain.hashes.length}, and had ${head.seq} at least`);
  if (chain.hashes[head.seq - 1] !== head.hash)
    return report("replaced", `its line ${head.seq} is not the one that its head names`);
  return report(chain.isTorn ? "torn" : "whole", "");
}

interface Chain {
  readonly hashes: readonly string[];
  readonly problem: string;
  readonly isTorn: boolean;
  readonly isForeign: boolean;
}

async function readChain(path: string, segment: string): Promise<Chain> {
  const hashes: string[] = [];
  let [prev, line, problem, isForeign] = [genesis, 0, "", false];
  const { lines, rest } = await readLines(path);
  for (const text of lines) {
    line += 1;
    const record = parse(text);
    if (line === 1) isForeign = record?.["segment"] !== segment;
    const next = record === undefined ? undefined : checkRecord(record, prev, line);
    if (next === undefined) {
      problem = `line ${line} is not as it was written`;
      break;
    }
    hashes.push(next);
    prev = next;
  }
  return {
    hashes,
    problem,
    isTorn: rest !== "" && problem === "",
    isForeign: isForeign && line > 0,
  };
}

function checkRecord(record: JsonObject, prev: string, line: number): string | undefined {
  const { hash, ...body } = record;
  const isNext = body["seq"] === line && body["prev"] === prev;
  return isNext && typeof hash === "string" && hash === digest(body) ? hash : undefined;
}

async function readLines(path: string): Promise<{ lines: readonly string[]; rest: string }> {
  const file = await open(path);
  try {
    const parts = (await file.readFile("utf8")).split("\n");
    const rest = parts.pop() ?? "";
    return { lines: parts, rest };
  } finally {
    await file.close();
  }
}

async function readHead(path: string): Promise<AuditHead | undefined> {
  const head = parse((await readTextFile(path)) ?? "");
  if (head === undefined) return undefined;
  const { segment, seq, hash, mac } = head;
  const isHead =
    typeof segment === "string" &&
    typeof seq === "number" &&
    typeof hash === "string" &&
    typeof mac === "string";
  return isHead ? (head as AuditHead) : undefined;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function listFiles(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
