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
  Result,
  ServerCapabilities,
  ServerContext,
  ServerEvent,
  Transport,
} from "@modelcontextprotocol/server";
