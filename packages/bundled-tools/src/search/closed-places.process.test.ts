import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundleSource, openFolder, type Folder } from "@postern/test-kit";
import { rgPath } from "@vscode/ripgrep";
import { expect, it } from "vitest";

const nobody = 65_534;
const pathOf = (name: string): string =>
  JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));

/** Searches as a user without rights. */
async function searchAsUser(folder: Folder, backend: string, path: string): Promise<unknown> {
  const entry = folder.join("program.ts");
  // The checkout may be closed to that user.
  const binary = folder.join("rg");
  await copyFile(rgPath, binary);
  await writeFile(
    entry,
    `import { grepTool } from ${pathOf("grep.ts")};
    import { createRipgrepBackend } from ${pathOf("ripgrep-backend.ts")};
    import { createWalkerBackend } from ${pathOf("walker-backend.ts")};
    import { createRootFolder } from ${pathOf("../files/root-folder.ts")};
    const backends = { ripgrep: createRipgrepBackend, walker: createWalkerBackend };
    const tool = grepTool({
      root: createRootFolder(process.argv[2]),
      env: () => undefined,
      guard: { isRoot: () => false, allowRoot: () => false },
      backend: backends[process.argv[3]](process.argv[5]),
    });
    const answer = await tool.run({ pattern: "key", path: process.argv[4], context_lines: 0 });
    console.log(JSON.stringify(answer.structuredContent));`,
  );
  const built = await bundleSource(entry, folder.path);
  const user = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", process.execPath];
  const call = [built, folder.join("root"), backend, path, binary];
  const { stdout } = await promisify(execFile)("setpriv", [...user, ...call]);
  return JSON.parse(stdout) as unknown;
}

it.each(["ripgrep", "walker"])("%s leaves out what is closed to it, and says so", async (name) => {
  await using folder = await openFolder();
  await chmod(folder.path, 0o755);
  for (const each of ["root", "root/closed", "root/open"]) await mkdir(folder.join(each));
  for (const each of ["closed/a", "open/a", "open/shut"])
    await writeFile(folder.join("root", each), "key\n");
  await chmod(folder.join("root/closed"), 0o000);
  await chmod(folder.join("root/open/shut"), 0o000);
  expect(await searchAsUser(folder, name, ".")).toMatchObject({
    error: "",
    files: [{ path: "open/a" }],
    match_count: 1,
    note: expect.stringContaining('Could not be looked into: "closed", "open/shut".') as string,
  });
  expect(await searchAsUser(folder, name, "closed")).toMatchObject({
    code: "PERMISSION_DENIED",
    files: [],
  });
});
