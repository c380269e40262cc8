import type { ClientPool } from "./client-pool.js";
import type { PoolOptions } from "./pool-options.js";
import type { ServerConfig } from "./server-config.js";
import { poolErrors } from "./errors.js";

/** Connects every server, all at once. */
export async function connectServers(
  _servers: Readonly<Record<string, ServerConfig>>,
  _options: PoolOptions = {},
): Promise<ClientPool> {
  throw poolErrors.POOL_CLOSED();
}
