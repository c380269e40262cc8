import { basename, join } from "node:path";
import { build } from "vite";

/**
 * Bundles a TypeScript source, with the sources of every package it imports, into one file that plain Node runs.
 *
 * @param entry - The source's path.
 * @param outDir - An existing folder.
 * @returns The path of the bundle: `NAME.mjs` in that folder.
 */
export async function bundleSource(entry: string, outDir: string): Promise<string> {
  const name = `${basename(entry, ".ts")}.mjs`;
  const conditions = ["@postern/source", "module", "node", "development|production"];
  await build({
    configFile: false,
    root: outDir,
    logLevel: "error",
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: false,
      target: "node20",
      minify: false,
      rolldownOptions: { output: { entryFileNames: name } },
    },
  });
  return join(outDir, name);
}
