import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleSource, openFolder, type Folder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { parseMcpConfig } from "../mcp/parse-mcp-config.js";
import { writeServer } from "./mcp-file.js";

const source = fileURLToPath(new URL("index.ts", import.meta.url));
const enough = 1_000;

/** Writes, replaces and deletes one server of its own, and says the number of each change once it is written. */
const writerSource = `
import { deleteServer, writeServer } from ${JSON.stringify(source)};
const [home, name] = process.argv.slice(2);
for (let step = 1; ; step += 1) {
  if (step % 3 === 0) await deleteServer(home, name);
  else await writeServer(home, { name, server: { command: "node", args: [String(step)] }, replace: true });
  process.stdout.write(step + "\\n");
}
`;

const original = `// The owner's own words.
{
  "other": { "kept": true }, // by another program
  "mcpServers": {
    /* first */ "first": { "command": "node", "autoApprove": ["x"] },
  },
}
`;

interface Writers {
  readonly home: string;
  readonly program: string;
  /** The last acknowledged change of each writer. */
  readonly acknowledged: Map<string, number>;
  total: number;
}

async function openWriters(folder: Folder): Promise<Writers> {
  const entry = folder.join("writer.ts");
  await writeFile(entry, writerSource);
  const program = await bundleSource(entry, folder.path);
  return { home: folder.join("home"), program, acknowledged: new Map(), total: 0 };
}

/** Lets one writer write for a random time, then kills it. */
async function runWriter(writers: Writers, name: string): Promise<void> {
  const child = spawn(process.execPath, [writers.program, writers.home, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    writers.acknowledged.set(name, Number(line));
    writers.total += 1;
  });
  const closed = new Promise((resolve) => lines.once("close", resolve));
  await Promise.race([closed, new Promise((resolve) => lines.once("line", resolve))]);
  const end = Date.now() + Math.random() * 3_000;
  while (Date.now() < end && writers.total < enough) await sleep(10);
  child.kill("SIGKILL");
  await closed;
}

async function runWriters(writers: Writers, slot: number): Promise<void> {
  for (let run = 0; writers.total < enough; run += 1) await runWriter(writers, `w${slot}r${run}x`);
}

async function countReads(file: string, isOver: () => boolean): Promise<number> {
  let reads = 0;
  while (!isOver()) {
    const parsed = parseMcpConfig(await readFile(file, "utf8"), file);
    expect(parsed).toMatchObject({ ok: true, value: { broken: [] } });
    reads += 1;
    await sleep(50);
  }
  return reads;
}

describe("mcp.json under kill -9", () => {
  it("loses no acknowledged change of 1,000, is whole at every moment, and keeps its comments", async () => {
    await using folder = await openFolder();
    const writers = await openWriters(folder);
    await writeServer(writers.home, { name: "first", server: { command: "x" } });
    const file = folder.join("home", "mcp.json");
    await writeFile(file, original);

    let isOver = false;
    const reads = countReads(file, () => isOver);
    await Promise.all([0, 1, 2, 3].map((slot) => runWriters(writers, slot)));
    isOver = true;
    expect(await reads).toBeGreaterThan(20);

    await writeServer(writers.home, { name: "last", server: { command: "x" } });
    const text = await readFile(file, "utf8");
    const parsed = parseMcpConfig(text, file);
    const servers = parsed.ok ? parsed.value.servers : {};
    const wrong = [...writers.acknowledged].filter(([name, step]) => {
      const { transport } = servers[name] ?? {};
      const found = transport?.kind === "stdio" ? Number(transport.args[0]) : undefined;
      // The change after the last acknowledged one may have been made before the kill.
      return ![step, step + 1].some((made) => found === (made % 3 === 0 ? undefined : made));
    });
    expect(wrong).toEqual([]);
    for (const comment of ["// The owner's own words.", "// by another program", "/* first */"])
      expect(text).toContain(comment);
    expect(text).toContain('"first": { "command": "node", "autoApprove": ["x"] }');
    expect(await readdir(writers.home)).toEqual(["mcp.json"]);
  });
});
