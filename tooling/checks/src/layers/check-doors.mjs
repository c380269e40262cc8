// @ts-check
import { readImports } from "../source-file.mjs";
import { toPackageName } from "./check-arrows.mjs";

/**
 * Finds entry points of third parties that enter a package through more than one file. Each has a door of its own, since
 * one may need Node where another does not. Tests, examples and tooling may import them freely.
 *
 * @param {import("./check-arrows.mjs").Town} town
 * @returns {readonly string[]}
 */
export function checkDoors({ packages, table, sources }) {
  return packages
    .filter(({ group }) => group !== "tooling")
    .flatMap((workspacePackage) => {
      /** @type {Map<string, Set<string>>} */
      const doors = new Map();
      for (const { path, kind, syntax } of sources.get(workspacePackage) ?? [])
        for (const { specifier } of kind === "source" ? readImports(syntax) : []) {
          const name = toPackageName(specifier);
          if (!table.oneDoor.some((pattern) => isMatch(name, pattern))) continue;
          doors.set(specifier, (doors.get(specifier) ?? new Set()).add(path));
        }
      return [...doors]
        .filter(([, files]) => files.size > 1)
        .map(
          ([specifier, files]) =>
            `${specifier} enters ${workspacePackage.name} by two doors: ${[...files].join(", ")}`,
        );
    });
}

/**
 * @param {string} name
 * @param {string} pattern
 */
function isMatch(name, pattern) {
  return pattern.endsWith("/*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
