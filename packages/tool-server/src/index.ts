// For everyone who serves tools.
export { createMcpEndpoint } from "./endpoint.js";
export type { Authenticate, EndpointOptions, McpEndpoint } from "./endpoint.js";
export { bearerAuthentication, createBearer } from "./bearer.js";
export type { BearerToken } from "./bearer.js";
export type { Serve, ServerIdentity } from "./identity.js";
export { serverErrors } from "./errors.js";
