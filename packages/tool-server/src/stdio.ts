// For everyone who serves over stdio.
export { serveStdio } from "./stdio/serve-stdio.js";
export type { StdioOptions, StdioServer } from "./stdio/serve-stdio.js";
