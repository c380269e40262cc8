// For everyone who serves tools.
export { createMcpEndpoint } from "./endpoint.js";
export type { EndpointOptions, McpEndpoint } from "./endpoint.js";
export { bearerAuthentication, createBearer } from "./bearer.js";
export type { Authenticate, BearerToken } from "./bearer.js";
export type { ReportError, Serve, ServerIdentity } from "./identity.js";
export { serverErrors } from "./errors.js";
