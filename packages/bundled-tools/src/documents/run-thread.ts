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

/** Waits until some thread has ended, or the signal is aborted. */
function waitForEnd(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      signal.removeEventListener("abort", wake);
      resolve();
    };
    signal.addEventListener("abort", wake, { once: true });
    waiting.push(wake);
  });
}

/**
 * Works on a stranger's document in a thread of its own, so that none can keep this one busy or fill its memory. Waits
 * for its turn while others are worked on.
 *
 * @param work - The program and what it is given; waiting counts as its time too.
 * @returns What it came to. Never rejects.
 */
export async function runThread<Message>(work: ThreadWork): Promise<ThreadOutcome<Message>> {
  const from = performance.now();
  while (isFull() && !work.signal.aborted) await waitForEnd(work.signal);
  threads += 1;
  try {
    const timeoutMs = work.timeoutMs - (performance.now() - from);
    return timeoutMs > 0
      ? await runNow({ ...work, timeoutMs })
      : { last: undefined, problem: "too many other documents are being worked on" };
  } finally {
    threads -= 1;
    // All of them: one alone may have been cancelled meanwhile.
    for (const wake of waiting.splice(0)) wake();
  }
}

async function runNow<Message>(work: ThreadWork): Promise<ThreadOutcome<Message>> {
  const { program, data, timeoutMs, signal } = work;
  if (signal.aborted) return { last: undefined, problem: "the call was cancelled" };
  const maxBytes = process.memoryUsage.rss() + (work.maxGrowthBytes ?? defaultGrowthBytes);
  const worker = new Worker(findProgram(program), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // Nothing of the environment is for code that handles a stranger's document.
    env: {},
    stderr: true,
    stdout: true,
  });
  let last: Message | undefined;
  let problem = "";
  const end = (why: string): void => {
    problem ||= why;
    void worker.terminate();
  };
  const cancel = (): void => end("the call was cancelled");
  const late = `it takes longer than ${Math.round(timeoutMs / 100) / 10} seconds`;
  const timer = setTimeout(() => end(late), timeoutMs);
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > maxBytes) end("it takes too much memory");
  }, lookMs);
  signal.addEventListener("abort", cancel, { once: true });
  worker.on("message", (message: Message) => {
    last = message;
  });
  worker.on("error", (error: Error) => {
    problem ||= toReason(error);
  });
  await new Promise((resolve) => {
    worker.once("exit", resolve);
  });
  clearTimeout(timer);
  clearInterval(watch);
  signal.removeEventListener("abort", cancel);
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
