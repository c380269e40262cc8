import {
  excludeTags,
  includeTags,
  serverNamePattern,
  serverNameWords,
  strictServerShape,
} from "../mcp/server-shape.js";
import { guardShape } from "./guard-shape.js";
import { pathsShape, toolKeys } from "./paths-shape.js";
import type { ChoiceShape, MapShape, ObjectShape } from "../schema/shape.js";

const bundledTools = {
  kind: "object",
  fields: {
    enabled: { kind: "boolean", description: "Whether the bundled tools are offered." },
    include_tags: includeTags,
    exclude_tags: excludeTags,
  },
  unknown: "refuse",
  description: "Which of the bundled tools are offered.",
} as const satisfies ObjectShape;

const toolAccess = {
  kind: "map",
  keys: toolKeys,
  of: {
    kind: "object",
    fields: {
      read_only: { kind: "boolean", nullable: true, description: "The tool changes nothing." },
      destructive: {
        kind: "boolean",
        nullable: true,
        description: "The tool may destroy something.",
      },
    },
    unknown: "refuse",
  },
  description: "What you say about single tools, above what their server says.",
} as const;

const general = {
  kind: "object",
  fields: {
    access_level: {
      kind: "string",
      values: ["full", "read_only"],
      description: "`read_only` offers only tools that are declared read-only and not destructive.",
    },
    bundled_tools: bundledTools,
    tool_access: toolAccess,
  },
  unknown: "refuse",
  description: "What holds for every server.",
} as const satisfies ObjectShape;

/** A reference to a server of the owner's `mcp.json`. */
export const referenceShape = {
  kind: "object",
  fields: {
    use: {
      kind: "string",
      form: {
        pattern: serverNamePattern.source,
        words: `the name of a server: ${serverNameWords}`,
      },
      description: "Name of a server of the owner's mcp.json.",
    },
    include_tags: includeTags,
    exclude_tags: excludeTags,
  },
  required: ["use"],
  unknown: "refuse",
  description: "One of the owner's servers, by name; tags narrow it further.",
} as const satisfies ObjectShape;

const domainServer = {
  kind: "choice",
  key: "use",
  present: referenceShape,
  absent: strictServerShape,
} as const satisfies ChoiceShape;

export const domainServersShape = {
  kind: "map",
  keys: { pattern: serverNamePattern.source, words: serverNameWords },
  of: domainServer,
  description: "The domain's servers, by name.",
} as const satisfies MapShape;

export const domainShape = {
  kind: "object",
  fields: {
    description: { kind: "string", description: "What the domain is about." },
    mcp_servers: domainServersShape,
  },
  unknown: "refuse",
} as const satisfies ObjectShape;

export const domainsShape = {
  kind: "map",
  keys: {
    pattern: "^[^\\s\\u0000]([^\\u0000]{0,62}[^\\s\\u0000])?$",
    words: "1 to 64 characters without blanks around them",
  },
  of: domainShape,
  description: "Named groups of servers.",
} as const satisfies MapShape;

/** `postern.json` and `settings.json`. */
export const posternShape = {
  kind: "object",
  fields: {
    $schema: { kind: "string", description: "Where an editor finds the schema of this file." },
    general,
    domains: domainsShape,
    models: { kind: "any-object", description: "Models by role." },
    guard: guardShape,
    paths: pathsShape,
  },
  unknown: "refuse",
  hints: {
    mcpServers:
      '"mcpServers" belongs to mcp.json. Here servers stand under domains.NAME.mcp_servers.',
    mcp_servers: "Servers stand under domains.NAME.mcp_servers, not at the top.",
  },
} as const satisfies ObjectShape;
