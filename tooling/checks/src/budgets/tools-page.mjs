// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runnerImport } from "vite";
import { readText } from "../workspace.mjs";

/** Where every bundled tool is written down. A test of their package compares it with them. */
const toolsPage = "docs/tools.md";

const writer = "packages/bundled-tools/fixtures/tools-page/render-tools-page.ts";
const conditions = ["@postern/source", "module", "node", "development|production"];

/**
 * Writes the page of tools anew, from the sources, so that it needs no build.
 *
 * @param {string} root
 * @returns {Promise<readonly string[]>} The files that changed.
 */
export async function writeToolsPage(root) {
  const { module } = await runnerImport(join(root, writer), {
    root,
    configFile: false,
    logLevel: "error",
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    // Node 20 knows no `using`.
    oxc: { target: "node20" },
  });
  const { toToolsPage } = /** @type {{ toToolsPage: () => Promise<string> }} */ (module);
  const text = await toToolsPage();
  if (toWords(readText(join(root, toolsPage)) ?? "") === toWords(text)) return [];
  writeFileSync(join(root, toolsPage), text);
  return [toolsPage];
}

/** The formatter aligns tables and breaks JSON, so only what is between spaces and lines is compared. */
function toWords(/** @type {string} */ text) {
  return text.replace(/\s+/g, "").replace(/-{3,}/g, "---");
}
