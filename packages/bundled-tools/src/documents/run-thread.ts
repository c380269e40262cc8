import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

/** What a thread works on, and how long. */
export interface ThreadWork {
  /** The program: a file of this folder. */
  readonly program: string;
  /** What it is given; copied. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What the process may grow by meanwhile. Default: 768 MB. */
  readonly maxGrowthBytes?: number;
}

/** What a thread came to. */
export interface ThreadOutcome<Message> {
  /** The last thing it gave before it ended, was stuck or broke; undefined for nothing. */
  readonly last: Message | undefined;
  /** Why it did not end by itself, in a few words; empty when it did. */
  readonly problem: string;
}

const maxHeapMb = 512;

/** Buffers lie outside the heap, so that its limit does not count them: a PDF of a megabyte unpacks to a gigabyte there. */
const defaultGrowthBytes = 768 * 1024 * 1024;
const lookMs = 20;

/** So many documents are worked on at once; the memory of more would add up. */
const maxThreads = 2;
let threads = 0;
const waiting: (() => void)[] = [];
const isFull = (): boolean => threads >= maxThreads;

/** Waits until some thread has ended, the time is over or the signal is aborted. */
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
 * Works on a stranger's document in a thread of its own, so that none can keep this one busy or fill its memory. Waits
 * for its turn while others are worked on.
 *
 * @param work - The program and what it is given; waiting counts as its time too.
 * @returns What it came to, when it ended or its time was over. Never rejects.
 */
export async function runThread<Message>(work: ThreadWork): Promise<ThreadOutcome<Message>> {
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
  threads -= 1;
  // All of them: one alone may have been cancelled meanwhile.
  for (const wake of waiting.splice(0)) wake();
}

function startThread({ program, data }: ThreadWork): Worker {
  threads += 1;
  const worker = new Worker(findProgram(program), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // Nothing of the environment is for code that handles a stranger's document.
    env: {},
    stderr: true,
    stdout: true,
  });
  // Its place is free when it is really gone: until then it has its core and its memory.
  worker.once("exit", leave);
  return worker;
}

async function runNow<Message>(work: ThreadWork): Promise<ThreadOutcome<Message>> {
  const { timeoutMs, signal } = work;
  const maxBytes = process.memoryUsage.rss() + (work.maxGrowthBytes ?? defaultGrowthBytes);
  const worker = startThread(work);
  let last: Message | undefined;
  let problem = "";
  await new Promise<void>((resolve) => {
    const end = (why: string): void => {
      problem ||= why;
      void worker.terminate();
      // Not when it has ended: in the middle of a long text operation that takes seconds, which the call does not have.
      finish();
    };
    const cancel = (): void => end("the call was cancelled");
    const late = `it takes longer than ${Math.round(timeoutMs / 100) / 10} seconds`;
    const timer = setTimeout(() => end(late), timeoutMs);
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() > maxBytes) end("it takes too much memory");
    }, lookMs);
    const finish = (): void => {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", cancel);
      resolve();
    };
    signal.addEventListener("abort", cancel, { once: true });
    worker.on("message", (message: Message) => {
      last = message;
    });
    worker.on("error", (error: Error) => {
      problem ||= toReason(error);
    });
    worker.once("exit", finish);
  });
  return { last, problem };
}

/** The first line of what a parser says, which may quote the document. */
function toReason({ message }: Error): string {
  const line = message.split("\n")[0] ?? "";
  return line.replace(/[^\x20-\x7e]/g, "?").slice(0, 120) || "unknown reason";
}

/** The programs are shipped as they are; they lie in the sources also when this file was built. */
function findProgram(name: string): URL {
  const manifest = createRequire(import.meta.url).resolve("@postern/bundled-tools/package.json");
  return new URL(`src/documents/${name}`, pathToFileURL(manifest));
}
