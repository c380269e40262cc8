import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readlink, realpath, symlink } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Copies the repository as it would be committed now, with its dependencies: those of other projects lead to the
 * store they are in, those of ours to their copy.
 *
 * @param {string} root The repository.
 * @param {string} folder The copy, not there yet.
 */
export async function copyRepository(root, folder) {
  const files = await findFiles(root);
  const directories = new Set(files.map((file) => dirname(join(folder, file))));
  for (const directory of directories) await mkdir(directory, { recursive: true });
  await Promise.all(
    files.map((file) => copyFile(join(root, file), join(folder, file)).catch(ignoreGone)),
  );
  const packages = files.filter((file) => file.endsWith("package.json")).map(dirname);
  for (const each of packages) await linkDependencies({ root, folder }, join(each, "node_modules"));
}

/** Some are deleted in the checkout, or since they were listed. */
function ignoreGone(/** @type {NodeJS.ErrnoException} */ error) {
  if (error.code !== "ENOENT") throw error;
}

/** @param {string} root */
async function findFiles(root) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run("git", args, { cwd: root, maxBuffer: 1 << 26 });
  return [...new Set(stdout.split("\0"))].filter((file) => file !== "");
}

/**
 * @param {{ root: string, folder: string }} places
 * @param {string} path Of a `node_modules` folder, or a scope in it.
 */
async function linkDependencies({ root, folder }, path) {
  for (const entry of await readEntries(join(root, path))) {
    const { name } = entry;
    const from = join(root, path, name);
    if (entry.isDirectory() && name.startsWith("@")) {
      await linkDependencies({ root, folder }, join(path, name));
    } else if (entry.isSymbolicLink() || name === ".bin") {
      const real = await realpath(from);
      const inside = relative(root, real);
      const isOurs = !inside.startsWith("..") && !inside.split(sep).includes("node_modules");
      const target = isOurs ? await readlink(from) : real;
      await mkdir(join(folder, path), { recursive: true });
      await symlink(target, join(folder, path, name));
    }
  }
}

/** @param {string} directory */
async function readEntries(directory) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
