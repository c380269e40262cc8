import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createSpillStore,
  ensurePrivateDirectory,
  openAppendFile,
  readTextFile,
  updateFile,
} from "@postern/files";

const root = await mkdtemp(join(tmpdir(), "notes-"));
const home = join(root, "home");
await ensurePrivateDirectory(home);

// Ten changes at once, and none is lost; they could as well come from ten processes.
const notes = join(home, "notes.json");
const count = (): Promise<void> =>
  updateFile(notes, (text) => {
    const { visits = 0 } = JSON.parse(text ?? "{}") as { visits?: number };
    return JSON.stringify({ visits: visits + 1 });
  });
await Promise.all(Array.from({ length: 10 }, count));
console.log(await readTextFile(notes));

// A log: each line is with the operating system when its promise resolves, and survives our death.
{
  await using log = await openAppendFile(join(home, "log.jsonl"));
  await log.append(JSON.stringify({ event: "visited" }));
  await log.append(JSON.stringify({ event: "deleted" }), { durable: true });
}
console.log((await readTextFile(join(home, "log.jsonl")))?.trim());

// Output too long to show: kept for a while, for this user only.
const spills = createSpillStore(join(home, "spills"), { maxFiles: 2 });
for (const text of ["one", "two", "three"]) await spills.write(text);
console.log((await readdir(join(home, "spills"))).length, "outputs kept");

await rm(root, { recursive: true });
