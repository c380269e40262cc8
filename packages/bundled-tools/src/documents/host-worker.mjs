/**
 * The process in which one document of a stranger is worked on, and by which it is given up: a parser that fills its
 * heap ends the whole process that it runs in, also where it has a thread of its own. Plain JavaScript, since Node runs
 * it as it is.
 *
 * It is told once what to do, and tells what the program gives (`{ given }`), why it broke (`{ problem }`) and that it has
 * ended (`{ ended: true }`).
 */
import { Worker } from "node:worker_threads";

const lookMs = 20;

process.once("message", ({ program, data, maxHeapMb, maxGrowthBytes }) => {
  const maxBytes = process.memoryUsage.rss() + maxGrowthBytes;
  const worker = new Worker(new URL(program, import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    env: {},
  });
  worker.on("message", (given) => void process.send?.({ given }));
  worker.on("error", ({ message }) => void process.send?.({ problem: message }));
  worker.once("exit", () => void process.send?.({ ended: true }));
  setInterval(() => {
    if (process.memoryUsage.rss() <= maxBytes) return;
    process.send?.({ problem: "it takes too much memory" }, () => process.exit(1));
  }, lookMs).unref();
});
// Nobody is left to whom anything could be told.
process.once("disconnect", () => process.exit(1));
