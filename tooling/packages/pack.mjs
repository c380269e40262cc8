import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess } from "./run-process.mjs";

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} directory
 * @property {Record<string, any>} manifest
 * @property {string} tarball
 */

/**
 * Lists the packages that are published.
 *
 * @param {string} root
 * @returns {readonly Omit<Packed, "tarball">[]}
 */
export function findPublished(root) {
  return ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((entry) => {
      const directory = join(root, group, entry);
      if (!existsSync(join(directory, "package.json"))) return [];
      const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
      return manifest.private === true ? [] : [{ name: manifest.name, directory, manifest }];
    }),
  );
}

/**
 * Packs each package as it would be published.
 *
 * @param {string} root
 * @param {string} destination A folder that is made for the tarballs.
 * @returns {Promise<readonly Packed[]>}
 */
export async function packAll(root, destination) {
  mkdirSync(destination, { recursive: true });
  const packed = [];
  for (const each of findPublished(root)) {
    const args = ["pack", "--pack-destination", destination];
    const { code, output } = await runProcess("pnpm", args, { cwd: each.directory });
    const file = `${each.name.replace("@", "").replace("/", "-")}-${each.manifest.version}.tgz`;
    const tarball = join(destination, file);
    if (code !== 0 || !existsSync(tarball))
      throw new Error(`${each.name} was not packed:\n${output}`);
    packed.push({ ...each, tarball });
  }
  return packed;
}
