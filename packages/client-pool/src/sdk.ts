// The one door of the MCP SDK: everything of it that this package uses comes through here.
export { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
export type {
  FetchLike,
  JSONRPCMessage,
  jsonSchemaValidator,
  MessageExtraInfo,
  SubscriptionFilter,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
