import type { ClientPool } from "./client-pool.js";
import { Pool } from "./pool.js";
import type { PoolOptions } from "./pool-options.js";
import type { ServerConfig } from "./server-config.js";

/**
 * Connects servers, all at once, and gives them as one `Source`.
 *
 * A server that is slow, dead or missing delays nobody beyond its own limits and throws nothing: it is named by
 * `missing()` and `servers()`. Tools are listed as `PREFIX` + name, servers in the order given.
 *
 * @param servers - The servers by the owner's names for them: 1 to 32 letters, digits, `_` or `-`.
 * @param options - How to connect and call.
 * @returns The pool, when each server is connected or has failed, or `readyTimeoutMs` has passed. Close it.
 * @example
 * ```ts
 * await using pool = await connectServers(
 *   { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } },
 *   { stdio: stdioTransport, baseEnv: process.env },
 * );
 * ```
 */
export async function connectServers(
  servers: Readonly<Record<string, ServerConfig>>,
  options: PoolOptions = {},
): Promise<ClientPool> {
  const pool = new Pool(servers, options);
  const started = pool.start();
  const { readyTimeoutMs } = options;
  if (readyTimeoutMs === undefined) {
    await started;
    return pool;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, readyTimeoutMs);
  });
  await Promise.race([started, passed]);
  clearTimeout(timer);
  return pool;
}
