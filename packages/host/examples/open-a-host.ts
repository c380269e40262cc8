import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHost } from "@postern/host";
import { createCallContext, findResultError } from "@postern/tool";

const folder = await mkdtemp(join(tmpdir(), "postern-"));
await writeFile(join(folder, "notes.txt"), "hello from the project\n");

const host = await openHost({
  home: join(folder, "home"), // mcp.json and settings.json of the owner; none here
  project: folder,
  env: { ...process.env, POSTERN_ALLOW_ROOT_TOOLS: "1" }, // only so that this also runs as root
  level: "read_only",
});
const caller = { kind: "owner", id: "example", scopes: [] } as const;
const call = (name: string, args: Record<string, string>) =>
  host.tools.call({ name, arguments: args, context: createCallContext({ caller }) });

const read = await call("bundled_read_file", { path: "notes.txt" });
console.log(JSON.stringify(read).includes("hello from the project"));
const unknown = await call("bundled_launch_rocket", {});
console.log(findResultError(unknown)?.code);

await host.close();
await rm(folder, { recursive: true });
