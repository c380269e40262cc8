// Writes schemas/*.json from the built package, so that editors get what the parser knows.
import { mkdirSync, writeFileSync } from "node:fs";
import { mcpSchema, posternSchema } from "./dist/index.js";

const folder = new URL("./schemas/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, schema] of Object.entries({ mcp: mcpSchema, postern: posternSchema }))
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(schema, undefined, 2)}\n`);
