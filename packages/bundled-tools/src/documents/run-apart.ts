import { fork, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** What is worked on, and how long. */
export interface ApartWork {
  /** The program: a file of this folder. */
  readonly program: string;
  /** What it is given; copied. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What the process may grow by meanwhile. Default: 768 MB. */
  readonly maxGrowthBytes?: number;
}

/** What it came to. */
export interface ApartOutcome<Message> {
  /** The last thing it gave before it ended, was stuck or broke; undefined for nothing. */
  readonly last: Message | undefined;
  /** Why it did not end by itself, in a few words; empty when it did. */
  readonly problem: string;
}

const maxHeapMb = 512;

/** Buffers lie outside the heap, so that its limit does not count them: a PDF of a megabyte unpacks to a gigabyte there. */
const defaultGrowthBytes = 768 * 1024 * 1024;

/** So many documents are worked on at once; the memory of more would add up. */
const maxRunning = 2;
let running = 0;
const waiting: (() => void)[] = [];
const isFull = (): boolean => running >= maxRunning;

/** Waits until some process has ended, the time is over or the signal is aborted. */
function waitForEnd(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener("abort", wake, { once: true });
    waiting.push(wake);
  });
}

/**
 * Works on a stranger's document in a process of its own, so that none can keep this one busy, fill its memory or end it.
 * Waits for its turn while others are worked on.
 *
 * @param work - The program and what it is given; waiting counts as its time too.
 * @returns What it came to, when it ended or its time was over. Never rejects.
 */
export async function runApart<Message>(work: ApartWork): Promise<ApartOutcome<Message>> {
  const end = performance.now() + work.timeoutMs;
  const findRest = (): number => end - performance.now();
  while (isFull() && findRest() > 0 && !work.signal.aborted)
    await waitForEnd(findRest(), work.signal);
  if (work.signal.aborted) return { last: undefined, problem: "the call was cancelled" };
  const timeoutMs = findRest();
  return timeoutMs > 0
    ? runNow({ ...work, timeoutMs })
    : { last: undefined, problem: "too many other documents are being worked on" };
}

function leave(): void {
  running -= 1;
  // All of them: one alone may have been cancelled meanwhile.
  for (const wake of waiting.splice(0)) wake();
}

function startProcess(): ChildProcess {
  running += 1;
  const child = fork(findHost(), {
    execArgv: [],
    serialization: "advanced",
    // Nothing of the environment is for code that handles a stranger's document; Windows starts nothing without this.
    env: process.platform === "win32" ? { SystemRoot: String.raw`C:\Windows` } : {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let isThere = true;
  const free = (): void => {
    if (isThere) leave();
    isThere = false;
  };
  // Its place is free when it is really gone: until then it has its core and its memory. One that never began has no exit.
  child.once("exit", free);
  child.once("error", () => {
    if (child.pid === undefined) free();
  });
  return child;
}

/** What the process tells. */
interface Told<Message> {
  readonly given?: Message;
  readonly problem?: string;
  readonly ended?: true;
}

async function runNow<Message>(work: ApartWork): Promise<ApartOutcome<Message>> {
  const { program, data, timeoutMs, signal, maxGrowthBytes = defaultGrowthBytes } = work;
  const child = startProcess();
  let last: Message | undefined;
  let problem = "";
  await new Promise<void>((resolve) => {
    const end = (why: string): void => {
      problem ||= why;
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      child.kill("SIGKILL");
      resolve();
    };
    const cancel = (): void => end("the call was cancelled");
    const late = `it takes longer than ${Math.round(timeoutMs / 100) / 10} seconds`;
    const timer = setTimeout(() => end(late), timeoutMs);
    signal.addEventListener("abort", cancel, { once: true });
    child.on("message", (told: Told<Message>) => {
      if ("given" in told) last = told.given;
      if (told.problem !== undefined) problem ||= toReason(told.problem);
      if (told.ended === true) end("");
    });
    child.on("error", () => end("it cannot be started"));
    // A heap that is full ends the process without a word.
    child.once("exit", () => end("its reader broke, for want of memory or by a fault of its own"));
    child.send({ program, data, maxHeapMb, maxGrowthBytes }, (error) => {
      if (error !== null) end("it cannot be started");
    });
  });
  return { last, problem };
}

/** The first line of what a parser says, which may quote the document. */
function toReason(message: string): string {
  const line = message.split("\n")[0] ?? "";
  return line.replace(/[^\x20-\x7e]/g, "?").slice(0, 120) || "unknown reason";
}

/** The programs are shipped as they are; they lie in the sources also when this file was built. */
function findHost(): string {
  const manifest = createRequire(import.meta.url).resolve("@postern/bundled-tools/package.json");
  return join(dirname(manifest), "src/documents/host-worker.mjs");
}
