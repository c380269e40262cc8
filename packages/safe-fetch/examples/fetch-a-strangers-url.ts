import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSafeFetch } from "@postern/safe-fetch";

// A service on a private network, and one page of it that leads on to the metadata of the cloud.
const server = createServer((request, response) => {
  if (request.url === "/report") response.end("All is well.");
  else response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
});
await new Promise<void>((resolve) => {
  server.listen(0, "127.0.0.1", resolve);
});
const { port } = server.address() as AddressInfo;

// The owner opens one host; `resolve` stands for the name server of this example.
await using safeFetch = createSafeFetch({
  allowHosts: () => [`intranet.example:${port}`],
  resolve: async () => ["127.0.0.1"],
});

async function show(url: string): Promise<void> {
  try {
    const response = await safeFetch(url, { timeoutMs: 5000, maxBytes: 1_000_000 });
    const { data } = await response.bytes();
    console.log(response.status, Buffer.from(data).toString());
  } catch (error) {
    console.log((error as { readonly code: string }).code);
  }
}

await show(`http://intranet.example:${port}/report`);
await show(`http://intranet.example:${port}/elsewhere`);
await show(`http://attacker.example:${port}/report`);
await show(`http://0x7f.1:${port}/report`);
await show("http://127.0.0.1@intranet.example/");
server.close();
