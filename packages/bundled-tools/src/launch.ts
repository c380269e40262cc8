// For hosts that start the server as a child: without the tools themselves, so that it loads in no time.
export { bundledServer, bundledVariables } from "./bundled-server.js";
export type { BundledServer, BundledServerOptions } from "./bundled-server.js";
