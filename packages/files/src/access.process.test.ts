import { execFile } from "node:child_process";
import { chown, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundleSource, openFolder, type Folder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
const source = fileURLToPath(new URL("index.ts", import.meta.url));

const toUser = (id: number): readonly string[] => [
  `--reuid=${id}`,
  `--regid=${id}`,
  "--clear-groups",
];

/** Runs a script that imports this package, as a user without rights, in a folder of that user. */
async function runAsUser(folder: Folder, script: string): Promise<unknown> {
  const entry = folder.join("script.ts");
  await writeFile(entry, `import * as files from ${JSON.stringify(source)};\n${script}`);
  const program = await bundleSource(entry, folder.path);
  await chown(folder.path, 65534, 65534);
  const args = [...toUser(65534), process.execPath, program, folder.path];
  return JSON.parse((await run("setpriv", args)).stdout);
}

describe("files of a user", () => {
  it("are closed to everyone else from their creation on, whatever the umask", async () => {
    await using folder = await openFolder();
    const modes = await runAsUser(
      folder,
      `import { open, readdir, stat } from "node:fs/promises";
      process.umask(0);
      const root = process.argv[2] + "/home";
      const probe = await open(process.execPath);
      // A mode that is set after the creation comes too late.
      Object.getPrototypeOf(probe).chmod = () => { throw new TypeError("chmod"); };
      await probe.close();
      const modes = {};
      const look = async (name, path) => { modes[name] = ((await stat(path)).mode & 0o777).toString(8); };
      await files.ensurePrivateDirectory(root);
      await look("folder", root);
      await files.writeFileAtomic(root + "/written", "text");
      await files.updateFile(root + "/updated", async () => {
        for (const name of await readdir(root)) await look(name.replace(/^\\..*/, "draft"), root + "/" + name);
        return "text";
      });
      await files.updateFile(root + "/updated", () => "again");
      const appended = await files.openAppendFile(root + "/appended");
      const spill = await files.createSpillStore(root + "/spills").write("text");
      await look("spill", spill.path);
      for (const name of await readdir(root)) await look(name, root + "/" + name);
      await appended[Symbol.asyncDispose]();
      console.log(JSON.stringify(modes));`,
    );
    expect(modes).toEqual({
      folder: "700",
      draft: "600",
      "updated.lock": "600",
      written: "600",
      updated: "600",
      appended: "600",
      spills: "700",
      spill: "600",
    });
    const args = [...toUser(65533), "cat", folder.join("home", "written")];
    await expect(run("setpriv", args)).rejects.toMatchObject({
      stderr: expect.stringContaining("Permission denied"),
    });
  });

  it("are refused with a code where the user has no right", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("secret"), "text", { mode: 0o600 });
    const codes = await runAsUser(
      folder,
      `const secret = process.argv[2] + "/secret";
      const codes = await Promise.all([
        files.readTextFile(secret),
        files.updateFile(secret, () => "new"),
        files.writeFileAtomic("/etc/postern-test", "new"),
        files.updateFile("/etc/postern-test", () => "new"),
        files.openAppendFile("/etc/postern-test"),
        files.ensurePrivateDirectory("/etc/postern-test"),
        files.ensurePrivateDirectory("/etc"),
      ].map((attempt) => attempt.then(() => "done", (error) => error.code)));
      console.log(JSON.stringify(codes));`,
    );
    expect(codes).toEqual([
      "FILE_UNREADABLE",
      "FILE_UNREADABLE",
      "FILE_UNWRITABLE",
      "FILE_UNWRITABLE",
      "FILE_UNWRITABLE",
      "FILE_UNWRITABLE",
      "NOT_PRIVATE",
    ]);
    expect(await readFile(folder.join("secret"), "utf8")).toBe("text");
  });

  it("lose the old group's rights when they cannot keep the group", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("shared"), "text", { mode: 0o660 });
    await chown(folder.join("shared"), 65534, 65532);
    const mode = await runAsUser(
      folder,
      `import { stat } from "node:fs/promises";
      const shared = process.argv[2] + "/shared";
      await files.writeFileAtomic(shared, "new");
      const { mode, gid } = await stat(shared);
      console.log(JSON.stringify([(mode & 0o777).toString(8), gid]));`,
    );
    expect(mode).toEqual(["600", 65534]);
  });
});

describe("a disk that takes no more", () => {
  it("rejects the lines it did not take, and begins the next on a line of its own", async () => {
    await using folder = await openFolder();
    const entry = folder.join("script.ts");
    await writeFile(
      entry,
      `import { openAppendFile } from ${JSON.stringify(source)};
      import { truncate } from "node:fs/promises";
      const path = process.argv[2];
      const file = await openAppendFile(path);
      await file.append("a".repeat(400));
      const failed = [file.append("b".repeat(300)), file.append("c", { durable: true })];
      const results = await Promise.allSettled(failed);
      await truncate(path, 410);
      await file.append("next");
      await file.close();
      console.log(results.map(({ reason }) => reason?.code).join());`,
    );
    const program = await bundleSource(entry, folder.path);
    const limited = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    const args = ["-c", limited, "sh", process.execPath, program, folder.join("log")];
    expect((await run("sh", args)).stdout).toBe("FILE_UNWRITABLE,FILE_UNWRITABLE\n");
    const text = await readFile(folder.join("log"), "utf8");
    expect(text).toBe(`${"a".repeat(400)}\n${"b".repeat(9)}\nnext\n`);
  });

  it("leaves the old file and nothing else after a write that does not fit", async () => {
    await using folder = await openFolder();
    const entry = folder.join("script.ts");
    await writeFile(
      entry,
      `import { writeFileAtomic, createSpillStore } from ${JSON.stringify(source)};
      import { readdir } from "node:fs/promises";
      const path = process.argv[2];
      await writeFileAtomic(path + "/file", "old");
      const spills = createSpillStore(path + "/spills");
      const results = await Promise.allSettled([
        writeFileAtomic(path + "/file", "x".repeat(2_000)),
        spills.write("x".repeat(2_000)),
      ]);
      const codes = results.map(({ reason }) => reason?.code);
      const left = [...await readdir(path + "/spills"), ...await readdir(path)];
      console.log(JSON.stringify([...codes, ...left.filter((name) => !name.startsWith("script"))]));`,
    );
    const program = await bundleSource(entry, folder.path);
    const limited = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    const args = ["-c", limited, "sh", process.execPath, program, folder.path];
    const result = JSON.parse((await run("sh", args)).stdout) as unknown;
    expect(result).toEqual(["FILE_UNWRITABLE", "FILE_UNWRITABLE", "file", "spills"]);
    expect(await readFile(folder.join("file"), "utf8")).toBe("old");
  });
});
