import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openAppendFile, writeFileAtomic, type AppendFile } from "@postern/files";
import type { JsonObject } from "@postern/tool";
import { digest, mark, openKey } from "./audit-key.js";

/** Where and how an audit is kept. */
export interface AuditLogOptions {
  /** The folder, for nothing else; private, created when missing. */
  readonly folder: string;
  /** Bytes after which a new segment is begun. Default: 16 MiB. */
  readonly maxSegmentBytes?: number;
  /** How often at most the head of a segment is written, in milliseconds. Default: 200. */
  readonly headMs?: number;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** How one record is kept. */
export interface RecordOptions {
  /** Whether it waits for the disk and for the head. Default: for the operating system. */
  readonly durable?: boolean;
}

/** An append-only log of one process, in which nothing can be changed unseen. */
export interface AuditLog extends AsyncDisposable {
  /**
   * Adds a record. Records of one turn of the event loop are written at once, in order.
   *
   * @param entry - What happened; JSON.
   * @returns Resolves when it is kept: acknowledged.
   * @throws {PosternError} What the file cannot be written for; every later record fails alike.
   */
  record(entry: JsonObject, options?: RecordOptions): Promise<void>;
  /** Marks a value by the key of the folder, for values that are not to be shown. */
  mark(value: JsonObject): string;
  /** Writes what waits and the head, and closes. */
  close(): Promise<void>;
}

/** What lies beside a segment and says how far it went. */
export interface AuditHead extends JsonObject {
  readonly segment: string;
  readonly seq: number;
  readonly hash: string;
  /** Of the three others, by the folder's key. */
  readonly mac: string;
}

/** What the first record of a segment follows. */
export const genesis = "0".repeat(64);
/** The folder of the heads. */
export const headsName = "heads";

const defaultSegmentBytes = 16 * 1024 * 1024;
const defaultHeadMs = 200;

/**
 * Opens an audit for this process: segments of its own, so that processes never wait for each other.
 *
 * @param options - Where and how.
 * @returns The log; close it.
 * @throws {PosternError} `AUDIT_KEY_BROKEN`; `NOT_PRIVATE`, `FILE_UNWRITABLE` of `@postern/files`.
 */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const key = await openKey(options.folder);
  await mkdir(join(options.folder, headsName), { recursive: true, mode: 0o700 });
  const log = new Log(options, key);
  await log.begin();
  return log;
}

interface Segment {
  readonly name: string;
  readonly file: AppendFile;
  seq: number;
  prev: string;
  bytes: number;
  /** What is kept for certain. */
  kept: { readonly seq: number; readonly hash: string };
  headSeq: number;
}

class Log implements AuditLog {
  readonly #options: AuditLogOptions;
  readonly #key: Buffer;
  readonly #run = randomBytes(8).toString("hex");
  #segment!: Segment;
  #count = 0;
  #rotating: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #heads: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(options: AuditLogOptions, key: Buffer) {
    this.#options = options;
    this.#key = key;
  }

  async begin(previous = genesis): Promise<void> {
    const time = (this.#options.now ?? Date.now)();
    const stamp = new Date(time).toISOString().replaceAll(/[:.]/g, "-");
    const name = `${stamp}-${process.pid}-${this.#run}-${this.#count}.jsonl`;
    this.#count += 1;
    const file = await openAppendFile(join(this.#options.folder, name));
    const segment: Segment = {
      name,
      file,
      seq: 0,
      prev: genesis,
      bytes: 0,
      kept: { seq: 0, hash: genesis },
      headSeq: 0,
    };
    this.#segment = segment;
    await this.#append(segment, { event: "begin", segment: name, follows: previous, time }, true);
    await this.#writeHead(segment);
  }

  mark(value: JsonObject): string {
    return mark(this.#key, value);
  }

  async record(entry: JsonObject, { durable = false }: RecordOptions = {}): Promise<void> {
    while (this.#rotating !== undefined) await this.#rotating;
    if (this.#failure !== undefined) throw this.#failure;
    const segment = this.#segment;
    const kept = this.#append(segment, entry, durable);
    if (segment.bytes > (this.#options.maxSegmentBytes ?? defaultSegmentBytes))
      this.#rotate(segment);
    await kept;
    if (durable) await this.#writeHead(segment);
    else this.#scheduleHead(segment);
  }

  async close(): Promise<void> {
    while (this.#rotating !== undefined) await this.#rotating;
    await this.#finish(this.#segment);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Numbered and chained before anything is waited for: the order of the calls is that of the lines. */
  async #append(segment: Segment, entry: JsonObject, durable: boolean): Promise<void> {
    const seq = segment.seq + 1;
    const body = { ...entry, seq, prev: segment.prev };
    const hash = digest(body);
    segment.seq = seq;
    segment.prev = hash;
    const line = JSON.stringify({ ...body, hash });
    segment.bytes += line.length;
    try {
      await segment.file.append(line, { durable });
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
    if (seq > segment.kept.seq) segment.kept = { seq, hash };
  }

  #rotate(segment: Segment): void {
    this.#rotating = this.#finish(segment)
      .then(() => this.begin(segment.prev))
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#rotating = undefined;
      });
  }

  async #finish(segment: Segment): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await segment.file.close();
    await this.#writeHead(segment);
  }

  #scheduleHead(segment: Segment): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writeHead(segment).catch((error: unknown) => {
        this.#failure ??= error;
      });
    }, this.#options.headMs ?? defaultHeadMs);
    this.#timer.unref();
  }

  /** Never ahead of what is kept, and one after the other. */
  #writeHead(segment: Segment): Promise<void> {
    const write = async (): Promise<void> => {
      const { seq, hash } = segment.kept;
      if (seq <= segment.headSeq) return;
      const body = { segment: segment.name, seq, hash };
      const head: AuditHead = { ...body, mac: mark(this.#key, body) };
      const path = join(this.#options.folder, headsName, `${segment.name}.head`);
      await writeFileAtomic(path, `${JSON.stringify(head)}\n`, { mode: 0o600 });
      segment.headSeq = seq;
    };
    this.#heads = this.#heads.then(write, write);
    return this.#heads;
  }
}
