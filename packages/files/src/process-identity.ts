import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readlinkSync, readFileSync } from "node:fs";
import { hostname } from "node:os";

/** Says which process it is, and tells it from a later one that got the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as its system spells it; empty where that cannot be known. */
  readonly start: string;
  /** Which run of its machine it belongs to; the same for all where that cannot be known. */
  readonly boot: string;
  /** The machine and the set of process ids that `pid` belongs to: nobody outside can look it up. */
  readonly place: string;
}

/** `ended` is certain. `unknown`: it belongs to another machine or container. */
export type Liveness = "alive" | "ended" | "unknown";

function readOr(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return "";
  }
}

const toDigest = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 12);

/** The machine, and on Linux the namespace of process ids: two containers may share a folder. */
function readPlace(): string {
  const machine = readOr(() => readFileSync("/etc/machine-id", "latin1"));
  const namespace = readOr(() => readlinkSync("/proc/self/ns/pid"));
  return toDigest(`${hostname()} ${machine} ${namespace}`);
}

interface Start {
  readonly start: string;
  /** Only waits for its parent to notice. */
  readonly ended: boolean;
}

/** The start time and state from `/proc/PID/stat` (proc_pid_stat(5), fields 22 and 3). */
function readLinuxStart(pid: number): Start | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may hold spaces and brackets, so fields are counted from its last one.
    const fields = text.slice(text.lastIndexOf(") ") + 2).split(" ");
    const [state] = fields;
    return { start: fields[19] ?? "", ended: state === "Z" || state === "X" };
  } catch {
    return undefined;
  }
}

async function readPsStart(pid: number): Promise<Start | undefined> {
  const args = ["-o", "stat=,lstart=", "-p", String(pid)];
  return new Promise((resolve) => {
    execFile("/bin/ps", args, { env: { LC_ALL: "C" } }, (error, stdout) => {
      const [, state, start] = /^\s*(\S+)\s+(.+?)\s*$/.exec(stdout) ?? [];
      if (error !== null || state === undefined || start === undefined) resolve(undefined);
      else resolve({ start: String(Date.parse(start)), ended: state.startsWith("Z") });
    });
  });
}

async function readStart(pid: number): Promise<Start | undefined> {
  if (process.platform === "linux") return readLinuxStart(pid);
  if (process.platform === "win32") return undefined;
  return readPsStart(pid);
}

let ownIdentity: Promise<ProcessIdentity> | undefined;

/** The identity of this process. */
export function readOwnIdentity(): Promise<ProcessIdentity> {
  ownIdentity ??= (async () => ({
    pid: process.pid,
    start: (await readStart(process.pid))?.start ?? "",
    boot: toDigest(readOr(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"))),
    place: readPlace(),
  }))();
  return ownIdentity;
}

/** Whether a process id is in use, also by another user's process. */
function isInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Tells whether a process still runs. Where start times cannot be read, its id alone decides. */
export async function readLiveness(identity: ProcessIdentity): Promise<Liveness> {
  const own = await readOwnIdentity();
  if (identity.place !== own.place) return "unknown";
  if (identity.boot !== own.boot) return "ended";
  if (!isInUse(identity.pid)) return "ended";
  const found = await readStart(identity.pid);
  if (found === undefined || identity.start === "")
    return isInUse(identity.pid) ? "alive" : "ended";
  return found.ended || found.start !== identity.start ? "ended" : "alive";
}
