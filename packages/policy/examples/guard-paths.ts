import { checkPaths, createSensitiveNames, findPathMentions } from "@postern/policy/paths";
import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Follows links as far as there is something. */
async function toRealPath(path: string): Promise<{ path: string; isDirectory: boolean }> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return { path: real, isDirectory: (await stat(real)).isDirectory() };
  if (dirname(path) === path) return { path, isDirectory: false };
  const above = await toRealPath(dirname(path));
  return { path: join(above.path, path.slice(dirname(path).length)), isDirectory: false };
}

const tool = { checkpaths: ["working_directory"] };
const args = {
  command: 'FOO=/out/env run --out=/out/log 2>/out/err; cat .env; sh -c "cd ..; cat notes"',
  working_directory: "/srv/project",
};

const mentions = findPathMentions(tool, args);
const requests = await checkPaths(mentions, {
  root: "/srv/project",
  isSensitive: createSensitiveNames("*.own"),
  canAsk: true,
  toRealPath,
});
for (const { kind, path, mentions: where } of requests)
  console.log(`${kind} ${path}: ${where.map(({ raw }) => raw).join(" ")}`);
