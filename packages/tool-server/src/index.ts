// For everyone who serves tools.
export { createMcpEndpoint } from "./endpoint.js";
export type { EndpointOptions, McpEndpoint } from "./endpoint.js";
export { bearerAuthentication, createBearer } from "./bearer.js";
export type { Authenticate, BearerToken } from "./bearer.js";
export type { ReportError, Serve, ServerIdentity } from "./identity.js";
export { serverErrors } from "./errors.js";

// For everyone whose calls ask, and for authors of nonce stores and of sets that ask for input themselves.
export { createMemoryNonceStore } from "./round-trip/nonce-store.js";
export type { MemoryNonceOptions, NonceStore } from "./round-trip/nonce-store.js";
export type { AskedRequest, AskOwner, QuestionOptions } from "./round-trip/question-options.js";
export { retryMetaKey } from "./protocol/meta.js";
