// For everyone who opens a port.
export { serveHttp } from "./serve-http.js";
export type { HttpOptions, HttpServer, ServableEndpoint } from "./serve-http.js";
