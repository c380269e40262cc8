import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Servers that nobody here wrote. */
export type PeerName = "everything" | "filesystem" | "memory";

const require = createRequire(import.meta.url);

/** How to start one of them over stdio, with the arguments after its own. */
export function peerServer(
  name: PeerName,
  args: readonly string[] = [],
): { readonly command: string; readonly args: readonly string[] } {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  const { bin } = require(manifest) as { readonly bin: Readonly<Record<string, string>> };
  const script = Object.values(bin)[0] ?? "";
  return { command: process.execPath, args: [join(dirname(manifest), script), ...args] };
}
