import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { runProcess } from "./run-ring.mjs";

/**
 * The registry's packages of one platform each carry the binary itself, so the machine's own Node stays as it is. The
 * package `node` would install it by a script, which the npx that runs pnpm does not allow.
 */
const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/**
 * Installs a Node release where every user may run it: tests start Node as a user without rights, whom a cache in the
 * home folder of root would shut out.
 *
 * @param {number} release The major version.
 * @returns {Promise<{ node: string, folder: string, env: NodeJS.ProcessEnv } | undefined>} The binary, the temporary
 *   folder to delete afterwards, and an environment in which `node` is that release. Nothing when npm failed.
 */
export async function installNode(release) {
  const folder = await mkdtemp(join(tmpdir(), `node-${release}-`));
  await chmod(folder, 0o755);
  const what = `node-${platform}@${release}`;
  const npm = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, what];
  const { code } = await runProcess("npm", npm, { cwd: folder, env: toOwnEnvironment() });
  if (code !== 0) return undefined;
  const bin = join(folder, "node_modules", `node-${platform}`, "bin");
  const PATH = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
  return { node: join(bin, "node"), folder, env: { ...process.env, PATH } };
}

/** The npx that runs pnpm hands its `--allow-scripts` on, which npm refuses for an installation into a folder. */
function toOwnEnvironment() {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_config_allow_scripts$/i.test(name),
  );
  return Object.fromEntries(own);
}
