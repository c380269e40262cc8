import { execFile } from "node:child_process";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** One process of this machine, as far as it matters for finding a tree. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The session; where the system does not tell it, the group. */
  readonly session: number;
  /** When it started, in the system's own spelling: tells a process from a later one of the same id. */
  readonly start: string;
  /** It ended, and only waits for its parent to notice. */
  readonly ended: boolean;
}

/**
 * Reads one line of `/proc/PID/stat` (proc_pid_stat(5)).
 *
 * @returns Undefined for a text of another form.
 */
export function parseStatLine(text: string): ProcessRow | undefined {
  // The name in brackets may hold spaces and brackets, so fields are counted from its last one.
  const open = text.indexOf(" (");
  const close = text.lastIndexOf(") ");
  if (open < 0 || close < 0) return undefined;
  const fields = text.slice(close + 2).split(" ");
  const [state, parent, group, session] = fields;
  const start = fields[19];
  if (state === undefined || start === undefined) return undefined;
  return {
    pid: Number(text.slice(0, open)),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start,
    ended: state === "Z" || state === "X",
  };
}

/**
 * Reads the output of `ps -A -o pid=,ppid=,pgid=,stat=,lstart=`.
 *
 * @returns One row for each line of that form.
 */
export function parsePsOutput(text: string): readonly ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of text.split("\n")) {
    const [, pid, parent, group, state, start] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (state === undefined || start === undefined) continue;
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      start,
      ended: state.startsWith("Z"),
    });
  }
  return rows;
}

/** A line of `stat` is shorter; `readFileSync` would take 64 KiB for each. */
const buffer = Buffer.alloc(4_096);

function readStat(pid: string): ProcessRow | undefined {
  try {
    const file = openSync(`/proc/${pid}/stat`, "r");
    try {
      return parseStatLine(buffer.toString("latin1", 0, readSync(file, buffer)));
    } finally {
      closeSync(file);
    }
  } catch {
    // It ended while we looked.
    return undefined;
  }
}

function readProc(): readonly ProcessRow[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(readStat)
    .filter((row) => row !== undefined);
}

async function readPs(): Promise<readonly ProcessRow[]> {
  const args = ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="];
  return new Promise((resolve) => {
    // Without a table the group itself is still signalled, so a missing ps is no failure.
    execFile("/bin/ps", args, { maxBuffer: 1 << 26, env: { LC_ALL: "C" } }, (error, stdout) =>
      resolve(error === null ? parsePsOutput(stdout) : []),
    );
  });
}

let next: Promise<readonly ProcessRow[]> | undefined;

/**
 * Reads the processes of this machine: from `/proc` where there is one, else from `ps`.
 *
 * All who ask in the same turn share one reading, which begins after they asked.
 */
export function readProcessTable(): Promise<readonly ProcessRow[]> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = undefined;
      resolve(process.platform === "linux" ? readProc() : readPs());
    });
  });
  return next;
}
