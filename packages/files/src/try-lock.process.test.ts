import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { bundleSource, openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { withFileLock } from "./index.js";
import { readOwnIdentity } from "./process-identity.js";

const source = fileURLToPath(new URL("try-lock.ts", import.meta.url));

/** Takes the lock again and again, and each time leaves it as a dead process would, at times in a take-over. */
const contenderSource = `
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createContender } from ${JSON.stringify(source)};
const lock = process.argv[2];
const newId = () => randomBytes(8).toString("hex");
const toDead = (id) => JSON.stringify({ ...JSON.parse(readFileSync(lock, "utf8")), id, pid: 4194305 });
for (let round = 0; round < 60; round += 1) {
  const contender = await createContender(lock);
  while (!(await contender.tryLock()).held) await sleep(Math.random() * 3);
  writeFileSync(lock + "-inside", "", { flag: "wx" });
  await sleep(Math.random() * 2);
  const id = newId();
  if (round % 4 === 0) writeFileSync(lock + "." + id, toDead(newId()));
  writeFileSync(lock + "-" + process.pid, toDead(id));
  rmSync(lock + "-inside");
  renameSync(lock + "-" + process.pid, lock);
  contender.release();
}
console.log("done");
`;

describe("a lock left by a dead process", () => {
  it("never has two holders, in 240 take-overs among 4 processes", async () => {
    await using folder = await openFolder();
    const entry = folder.join("contender.ts");
    await writeFile(entry, contenderSource);
    const program = await bundleSource(entry, folder.path);
    const contend = (): Promise<string> => {
      const child = spawn(process.execPath, [program, folder.join("a.lock")], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      return text(child.stdout);
    };
    const results = await Promise.all([contend(), contend(), contend(), contend()]);
    expect(results).toEqual(["done\n", "done\n", "done\n", "done\n"]);
    await withFileLock(folder.join("a"), async () => undefined);
    const left = (await readdir(folder.path)).filter((name) => !name.startsWith("contender."));
    expect(left).toEqual([]);
  });

  it("is taken over when the dead process only waits for its parent to notice", async () => {
    await using folder = await openFolder();
    const script = "sleep 0 & echo $!; exec sleep 1000";
    const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const start = stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[19];
    const lock = { id: "0123456789abcdef", ...(await readOwnIdentity()), pid, start };
    await writeFile(folder.join("a.lock"), JSON.stringify(lock));
    expect(await withFileLock(folder.join("a"), async () => "done")).toBe("done");
    parent.kill("SIGKILL");
    await once(parent, "exit");
  });
});
