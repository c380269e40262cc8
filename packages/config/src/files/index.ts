// For everyone who reads and changes the owner's files.
export { deleteServer, readMcpFile, updateServer, writeServer } from "./mcp-file.js";
export type { ServerToWrite } from "./mcp-file.js";
export { findProjectFile, readPosternFile, readSettings } from "./project-file.js";
export type { PosternFile } from "./project-file.js";
export { deleteTrust, readTrust, writeTrust } from "./trust.js";
export type { Trust } from "./trust.js";
