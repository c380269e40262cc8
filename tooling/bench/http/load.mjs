import { Agent, request } from "node:http";

const text = "x".repeat(32);

function toBody(id) {
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: {
      name: "echo",
      arguments: { text },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });
}

/** A client of the 2026-07-28 protocol that keeps some calls in flight over kept connections. */
export function createLoad({ port, path, token, inFlight }) {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  let id = 0;
  const call = () =>
    new Promise((resolve, reject) => {
      const body = toBody((id += 1));
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "echo",
        "content-length": Buffer.byteLength(body),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const options = { agent, host: "127.0.0.1", port, path, method: "POST", headers };
      const sent = request(options, (response) => {
        let answer = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => (answer += chunk));
        response.on("end", () =>
          answer.includes(text) ? resolve() : reject(new TypeError(`wrong answer: ${answer}`)),
        );
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return {
    /** Calls for a while; resolves to how many calls were answered. */
    async run(forMs) {
      const end = performance.now() + forMs;
      let calls = 0;
      const lane = async () => {
        while (performance.now() < end) {
          await call();
          calls += 1;
        }
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
      return calls;
    },
    close: () => agent.destroy(),
  };
}
