import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const info = { name: "story-client", version: "1.0.0" };

/** Lists, calls a tool, and calls one that does not exist, as the SDK that most programs still use. */
export function callAsLegacyClient(url, token) {
  const transport = new LegacyTransport(new URL(url), withBearer(token));
  return visit(new LegacyClient(info), transport);
}

/** The same as a client that speaks 2026-07-28 and nothing else. */
export function callAsModernClient(url, token) {
  const options = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const transport = new ModernTransport(new URL(url), withBearer(token));
  return visit(new ModernClient(info, options), transport);
}

function withBearer(token) {
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } };
}

async function visit(client, transport) {
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const echo = await client.callTool({
      name: "everything_echo",
      arguments: { message: "hello" },
    });
    const hidden = await client.callTool({ name: "files_rm_rf", arguments: {} });
    return {
      toolCount: tools.length,
      text: echo.content[0].text,
      refused: JSON.stringify(hidden.content),
    };
  } finally {
    await client.close();
  }
}
