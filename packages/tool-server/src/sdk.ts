/** The one door by which the MCP SDK enters this package's root. */
export {
  classifyInboundRequest,
  createMcpHandler,
  ProtocolError,
  SERVER_INFO_META_KEY,
  Server,
} from "@modelcontextprotocol/server";
export type {
  Implementation,
  McpHttpHandler,
  McpRequestContext,
  Result,
  ServerCapabilities,
  ServerContext,
  ServerEvent,
  ServerEventBus,
  Transport,
} from "@modelcontextprotocol/server";
export { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
