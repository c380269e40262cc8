import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess } from "./run-ring.mjs";

/**
 * Asks of every published package whether its types resolve as its code does.
 *
 * @param {string} root
 * @returns {Promise<import("./run-ring.mjs").Count>}
 */
export async function checkTypes(root) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const folders = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((entry) => join(group, entry)),
  );
  for (const folder of folders) {
    const file = join(root, folder, "package.json");
    const { scripts = {} } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    if (!("package-types" in scripts)) continue;
    const { code } = await runProcess("pnpm", ["run", "package-types"], {
      cwd: join(root, folder),
    });
    console.log(`${code === 0 ? "ok  " : "FAIL"} types of ${folder}`);
    count[code === 0 ? "passed" : "failed"] += 1;
  }
  return count;
}
