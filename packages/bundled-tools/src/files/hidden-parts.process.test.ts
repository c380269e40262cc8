import { execFile } from "node:child_process";
import { chmod, chown, mkdir, symlink, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { bundleSource, openFolder, type Folder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";

const nobody = 65_534;
const list = fileURLToPath(new URL("list-files.ts", import.meta.url));
const root = fileURLToPath(new URL("root-folder.ts", import.meta.url));
const byPath = fileURLToPath(new URL("open-by-path.ts", import.meta.url));

/** Calls `list_files` as a user without rights, with paths opened as on this system or as elsewhere. */
async function listAsUser(folder: Folder, opening: string, args: JsonObject): Promise<JsonObject> {
  const entry = folder.join("program.ts");
  const program = `import { listFilesTool } from ${JSON.stringify(list)};
    import { createRootFolder } from ${JSON.stringify(root)};
    import { openByPath } from ${JSON.stringify(byPath)};
    const open = { "by descriptor": undefined, "by path": openByPath }[process.argv[3]];
    const tool = listFilesTool({
      root: createRootFolder(process.argv[2], open),
      env: () => undefined,
      guard: { isRoot: () => false, allowRoot: () => false },
    });
    const { structuredContent } = await tool.run(JSON.parse(process.argv[4]));
    console.log(JSON.stringify(structuredContent));`;
  await writeFile(entry, program);
  const built = await bundleSource(entry, folder.path);
  const user = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", process.execPath];
  const call = [built, folder.join("root"), opening, JSON.stringify(args)];
  const { stdout } = await promisify(execFile)("setpriv", [...user, ...call]);
  const answer: unknown = JSON.parse(stdout);
  return isJsonObject(answer) ? answer : {};
}

/** A tree with a link to nothing, a loop, and folders that are closed to everybody. */
async function fill(folder: Folder): Promise<void> {
  await chmod(folder.path, 0o755);
  for (const name of ["root", "root/a", "root/closed", "root/unlisted", "root/z"])
    await mkdir(folder.join(name));
  for (const name of ["a/x", "closed/secret", "unlisted/secret", "z/y"])
    await writeFile(folder.join("root", name), "");
  await symlink("gone", folder.join("root/a/dangling"));
  await symlink("loop", folder.join("root/loop"));
  for (const name of ["closed", "unlisted"]) await chown(folder.join("root", name), nobody, nobody);
  await chmod(folder.join("root/closed"), 0o000);
  // Its entries' names may be read, but none may be looked at.
  await chmod(folder.join("root/unlisted"), 0o444);
}

const listed = (answer: JsonObject): readonly string[] =>
  (answer["files"] as unknown as readonly { path: string; type: string }[]).map(
    ({ path, type }) => `${path} ${type}`,
  );

describe("list_files by a user who may not look everywhere", () => {
  it.each(["by descriptor", "by path"])(
    "lists the rest and names what it could not look into, opened %s",
    async (opening) => {
      await using folder = await openFolder();
      await fill(folder);
      const answer = await listAsUser(folder, opening, { recursive: true });
      expect(listed(answer)).toEqual([
        "a directory",
        "a/dangling link",
        "a/x file",
        "closed directory",
        "loop link",
        "unlisted directory",
        "z directory",
        "z/y file",
      ]);
      expect(answer).toMatchObject({ truncated: false, error: "" });
      expect(answer["note"]).toMatch(
        /^Could not be looked into: "closed", "unlisted(\/secret)?"\.$/,
      );
    },
  );

  it("lists nothing of a folder whose entries may not be looked at, and names them", async () => {
    await using folder = await openFolder();
    await fill(folder);
    expect(await listAsUser(folder, "by descriptor", { path: "unlisted" })).toEqual({
      files: [],
      truncated: false,
      note: 'Could not be looked into: "secret".',
      error: "",
    });
  });

  it("fails for the one folder that was asked for", async () => {
    await using folder = await openFolder();
    await fill(folder);
    expect(await listAsUser(folder, "by descriptor", { path: "closed" })).toMatchObject({
      code: "PERMISSION_DENIED",
      files: [],
    });
  });
});
