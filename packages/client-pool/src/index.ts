// For everyone who connects servers.
export { connectServers } from "./connect-servers.js";
export type { ClientPool } from "./client-pool.js";
export type {
  HttpTarget,
  ServerConfig,
  ServerProtocol,
  ServerSettings,
  StdioTarget,
} from "./server-config.js";
export type {
  ConnectedServer,
  ConnectingServer,
  DisabledServer,
  FailedServer,
  ListingProblem,
  ServerFacts,
  ServerState,
} from "./server-state.js";
export type { PoolEvent, PoolOptions } from "./pool-options.js";
export { defaultCallTimeoutMs, parseCallTimeout } from "./call-timeout.js";
export type { CallTimeout } from "./call-timeout.js";
export { poolErrors } from "./errors.js";

// For authors of transports and hosts.
export { toExposedName } from "./naming/exposed-name.js";
export type {
  ConnectStdio,
  StdioCloseReason,
  StdioContext,
  StdioTransport,
} from "./pool-options.js";
