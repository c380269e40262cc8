// For applications that embed Postern.
export { openHost } from "./open-host.js";
export type { Host, HostEvent, HostOptions } from "./host-options.js";
export { openAudit } from "./open-audit.js";
export type { OwnersAudit } from "./open-audit.js";
export { openConsents } from "./open-consents.js";
export type { Consents } from "./open-consents.js";
export { serveProxy } from "./serve-proxy.js";
export type { Proxy, ProxyOptions, ProxyTarget } from "./proxy.js";
export { hostErrors } from "./errors.js";
