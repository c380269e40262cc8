import type { JsonObject } from "./json/json-value.js";
import { mcpShape, namedServerShape } from "./mcp/server-shape.js";
import { posternShape } from "./project/postern-shape.js";
import { toJsonSchema } from "./schema/to-json-schema.js";

const dialect = "https://json-schema.org/draft/2020-12/schema";

/** JSON Schema (draft 2020-12) of `mcp.json`, also shipped as `@postern/config/schemas/mcp.json`. */
export const mcpSchema: JsonObject = Object.freeze({
  $schema: dialect,
  title: "mcp.json",
  description:
    "MCP servers, in the form that many hosts share. Keys of other hosts are allowed and have no effect.",
  anyOf: [
    toJsonSchema(mcpShape),
    {
      description: "The form that Chimera writes.",
      type: "array",
      items: toJsonSchema(namedServerShape),
    },
  ],
});

/** JSON Schema (draft 2020-12) of `postern.json` and `settings.json`, also shipped as `@postern/config/schemas/postern.json`. */
export const posternSchema: JsonObject = Object.freeze({
  $schema: dialect,
  title: "postern.json",
  description:
    "What a project, or its owner, says about tools. A project's file only narrows until it is trusted.",
  ...toJsonSchema(posternShape),
});
