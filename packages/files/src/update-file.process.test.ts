import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleSource, openFolder, type Folder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { updateFile } from "./index.js";

const source = fileURLToPath(new URL("index.ts", import.meta.url));

/** Counts its own changes in the shared file, and says each number once it is written. */
const writerSource = `
import { updateFile } from ${JSON.stringify(source)};
const [file, name] = process.argv.slice(2);
for (;;) {
  let count = 0;
  await updateFile(file, (text) => {
    const counts = JSON.parse(text ?? "{}");
    count = (counts[name] ?? 0) + 1;
    return JSON.stringify({ ...counts, [name]: count });
  }, { durable: false }); // a killed process is no power cut
  process.stdout.write(count + "\\n");
}
`;

interface Writers {
  readonly file: string;
  readonly program: string;
  /** The last acknowledged number of each writer. */
  readonly acknowledged: Map<string, number>;
  total: number;
}

async function openWriters(folder: Folder): Promise<Writers> {
  const entry = folder.join("writer.ts");
  await writeFile(entry, writerSource);
  const program = await bundleSource(entry, folder.path);
  return { file: folder.join("data", "file.json"), program, acknowledged: new Map(), total: 0 };
}

/** Lets one writer write for a random time, then kills it. */
async function runWriter(writers: Writers, name: string): Promise<void> {
  const child = spawn(process.execPath, [writers.program, writers.file, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    writers.acknowledged.set(name, Number(line));
    writers.total += 1;
  });
  const closed = new Promise((resolve) => lines.once("close", resolve));
  await new Promise((resolve) => lines.once("line", resolve));
  await sleep(Math.random() * 600);
  child.kill("SIGKILL");
  await closed;
}

/** Runs one writer after the other until all have written enough together. */
async function runWriters(writers: Writers, slot: number): Promise<void> {
  for (let run = 0; writers.total < 1_000; run += 1) await runWriter(writers, `${slot}.${run}`);
}

async function countReads(file: string, isOver: () => boolean): Promise<number> {
  let reads = 0;
  while (!isOver()) {
    JSON.parse(await readFile(file, "utf8"));
    reads += 1;
    await sleep(1);
  }
  return reads;
}

describe("updateFile under kill -9", () => {
  it("loses no acknowledged change of 1,000, never shows half a file, and cleans up", async () => {
    await using folder = await openFolder();
    const writers = await openWriters(folder);
    await mkdir(folder.join("data"));
    await writeFile(writers.file, "{}");

    let isOver = false;
    const reads = countReads(writers.file, () => isOver);
    await Promise.all([0, 1, 2, 3].map((slot) => runWriters(writers, slot)));
    isOver = true;
    expect(await reads).toBeGreaterThan(100);

    await updateFile(writers.file, (text) => `${text}\n`);
    const counts = JSON.parse(await readFile(writers.file, "utf8")) as Record<string, number>;
    const lost = [...writers.acknowledged].filter(([name, count]) => (counts[name] ?? 0) < count);
    expect(lost).toEqual([]);
    expect(await readdir(folder.join("data"))).toEqual(["file.json"]);
  });
});
