import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

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

function readProc(): readonly ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const row = parseStatLine(readFileSync(`/proc/${entry}/stat`, "latin1"));
      if (row !== undefined) rows.push(row);
    } catch {
      // It ended while we looked.
    }
  }
  return rows;
}

/** Reads the processes of this machine: from `/proc` where there is one, else from `ps`. */
export async function readProcessTable(): Promise<readonly ProcessRow[]> {
  if (process.platform === "linux") return readProc();
  const args = ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="];
  return new Promise((resolve) => {
    // Without a table the group itself is still signalled, so a missing ps is no failure.
    execFile("/bin/ps", args, { maxBuffer: 1 << 26, env: { LC_ALL: "C" } }, (error, stdout) =>
      resolve(error === null ? parsePsOutput(stdout) : []),
    );
  });
}
