/** The one door by which the MCP SDK enters this package's root. */
export {
  classifyInboundRequest,
  createMcpHandler,
  ProtocolError,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
export type {
  Implementation,
  JSONRPCMessage,
  McpHttpHandler,
  McpRequestContext,
  Result,
  ServerCapabilities,
  ServerContext,
  ServerEvent,
  ServerEventBus,
  Transport,
} from "@modelcontextprotocol/server";
