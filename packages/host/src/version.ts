import { readFileSync } from "node:fs";

/**
 * Reads this package's version from its manifest, which lies one folder up from the sources and from the build.
 *
 * @returns The version.
 */
export function readVersion(): string {
  const manifest: { readonly version?: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return manifest.version ?? "0.0.0";
}
