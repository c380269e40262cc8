import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledTools } from "@postern/bundled-tools";
import { createCallContext, toolSet, type JsonObject } from "@postern/tool";

const root = await mkdtemp(join(tmpdir(), "look-around-"));
await writeFile(join(root, "notes.md"), "# Notes\n\nBuy paint.\nCall the roofer.\n");

// `allowRoot` only because examples also run in containers, as root. Leave it out, and root is refused.
const tools = toolSet(bundledTools({ root, allowRoot: true }));

async function call(name: string, args: JsonObject): Promise<JsonObject> {
  const outcome = await tools.call({ name, arguments: args, context: createCallContext() });
  return outcome["structuredContent"] as JsonObject;
}

const { files } = await call("list_files", { pattern: "*.md" });
console.log(
  (files as unknown as { path: string; size: number }[]).map(({ path, size }) => [path, size]),
);

const page = await call("read_file", { path: "notes.md", offset: 3, limit: 1 });
console.log(page["content"], "| next:", page["next_offset"]);

// Nothing outside the root folder can be read, and whether it exists cannot be told either.
const refused = await call("read_file", { path: "../../etc/passwd" });
console.log(refused["code"], "|", refused["error"]);

await rm(root, { recursive: true });
