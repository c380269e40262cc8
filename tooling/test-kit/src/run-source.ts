import { basename, join } from "node:path";
import { build, type InlineConfig, type Rollup } from "vite";

const conditions = ["@postern/source", "module", "node", "development|production"];

/**
 * Bundles a TypeScript source, with the sources of every package it imports, into one file that plain Node runs.
 *
 * @param entry - The source's path.
 * @param outDir - An existing folder.
 * @returns The path of the bundle: `NAME.mjs` in that folder.
 */
export async function bundleSource(entry: string, outDir: string): Promise<string> {
  const name = `${basename(entry, ".ts")}.mjs`;
  await build(toConfig(entry, { outDir, emptyOutDir: false }, name));
  return join(outDir, name);
}

/**
 * Finds what Node loads with a TypeScript source before it runs: everything imported but by `import()`.
 *
 * @param entry - The source's path.
 * @returns The paths of the modules.
 */
export async function findEagerModules(entry: string): Promise<readonly string[]> {
  const built = await build(toConfig(entry, { write: false }, "[name].mjs"));
  const { output } = built as Rollup.RollupOutput;
  const chunks = new Map(
    output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])),
  );
  const seen = new Set(output.filter((file) => file.type === "chunk" && file.isEntry).map(toName));
  // A set that grows while it is walked is walked to its end.
  for (const name of seen) for (const next of chunks.get(name)?.imports ?? []) seen.add(next);
  return [...seen].flatMap((name) => chunks.get(name)?.moduleIds ?? []);
}

const toName = ({ fileName }: { readonly fileName: string }): string => fileName;

function toConfig(
  entry: string,
  output: { readonly outDir?: string; readonly emptyOutDir?: boolean; readonly write?: boolean },
  name: string,
): InlineConfig {
  return {
    configFile: false,
    root: output.outDir ?? join(entry, ".."),
    logLevel: "error",
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ...output,
      ssr: entry,
      target: "node20",
      minify: false,
      rolldownOptions: { output: { entryFileNames: name } },
    },
  };
}
