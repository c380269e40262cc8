import type { ListShape, MapShape, ObjectShape } from "../schema/shape.js";

/** A server's name: the beginning of its tools' names, so it must be safe there. `__proto__` is none. */
export const serverNamePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;

/** The rule for server names in words. */
export const serverNameWords =
  "1 to 32 letters, digits, _ and -, beginning with a letter or a digit";

/** Longer limits are no limits; a day also stays below what a timer can hold. */
const maxSeconds = 86_400;

/** What a tag may be. Surrounding blanks would make a filter that silently matches nothing. */
const tag = {
  kind: "string",
  form: {
    pattern: "^[^\\s\\u0000]([^\\u0000]*[^\\s\\u0000])?$",
    words: "a tag without blanks around it",
  },
} as const;

export const includeTags = {
  kind: "list",
  of: tag,
  notEmpty: true,
  description: "Offer only tools that carry at least one of these tags.",
} as const satisfies ListShape;

export const excludeTags = {
  kind: "list",
  of: tag,
  description: "Hide every tool that carries one of these tags.",
} as const satisfies ListShape;

/** Approvals that other hosts keep in the same file. They are those hosts' decisions, not the owner's here. */
const foreignApprovals = Object.fromEntries(
  ["autoApprove", "alwaysAllow", "autoAllow", "trust", "allowedTools", "toolPermissions"].map(
    (key) => [key, `"${key}" is another program's approval: it is kept and never counts here.`],
  ),
);

const serverFields = {
  type: {
    kind: "string",
    values: ["stdio", "http", "streamable-http"],
    hints: {
      sse: 'The old SSE transport ("sse") is not spoken. Most such servers also have a streamable HTTP address: use that as "url".',
    },
    description:
      "The transport. It may be left out: `command` means stdio, `url` means streamable HTTP.",
  },
  command: {
    kind: "string",
    description: "The program to start. It is not split at blanks and not run through a shell.",
  },
  args: {
    kind: "list",
    of: { kind: "string" },
    description: "Arguments of the program. `{env:NAME}` is replaced when it is started.",
  },
  env: {
    kind: "map",
    keys: { pattern: "^[^=\\u0000]+$", words: "the name of a variable" },
    of: { kind: "string" },
    description:
      "Variables for the program. `{env:NAME}` in a value is replaced when it is started.",
  },
  cwd: {
    kind: "string",
    form: { pattern: "^[^\\u0000]+$", words: "the path of a folder" },
    description: "The folder the program is started in. It must exist.",
  },
  url: {
    kind: "string",
    description:
      "The address of a streamable HTTP server. `{env:NAME}` is replaced at connection time.",
  },
  headers: {
    kind: "map",
    keys: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z\\-]+$", words: "the name of a header" },
    of: {
      kind: "string",
      // Line breaks would begin another header (RFC 9110 section 5.5).
      form: {
        pattern: "^[\\t\\u0020-\\u007e\\u0080-\\u00ff]*$",
        words: "the value of a header, on one line",
      },
    },
    description:
      "Headers of every request. `{env:NAME}` in a value is replaced at connection time.",
  },
  token_env: {
    kind: "string",
    form: {
      pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
      words: "the name of an environment variable, not the token itself",
    },
    description: "Name of the environment variable that holds a bearer token.",
  },
  connect_timeout: {
    kind: "seconds",
    zero: false,
    max: maxSeconds,
    description: "Seconds to wait for the connection.",
  },
  catalog_timeout: {
    kind: "seconds",
    zero: false,
    max: maxSeconds,
    description: "Seconds to wait for the list of tools.",
  },
  call_timeout: {
    kind: "seconds",
    zero: true,
    max: maxSeconds,
    description: "Seconds one call may take; 0 is no limit.",
  },
  include_tags: includeTags,
  exclude_tags: excludeTags,
  protocol: {
    kind: "string",
    values: ["auto", "legacy", "2026-07-28"],
    description:
      "Which era of the protocol to speak. Left out: `legacy` for a program, `auto` over HTTP.",
  },
  prefix: {
    kind: "string",
    form: { pattern: "^[A-Za-z0-9_-]{0,33}$", words: "at most 33 letters, digits, _ and -" },
    description: "Stands before the name of each tool. Left out: the server's name and `_`.",
  },
  disabled: { kind: "boolean", description: "Keep the entry and do not connect." },
  enabled: { kind: "boolean", description: "`false` is the same as `disabled: true`." },
} as const satisfies ObjectShape["fields"];

/** A server of a project file: an unknown key is an error. */
export const strictServerShape = {
  kind: "object",
  fields: serverFields,
  unknown: "refuse",
  oneOf: ["command", "url"],
  description: "A server: `command` for a program to start, or `url` for one that runs.",
} as const satisfies ObjectShape;

/** A server of `mcp.json`, a file shared with other hosts: an unknown key is kept and warned about. */
export const sharedServerShape = {
  ...strictServerShape,
  unknown: "keep",
  hints: foreignApprovals,
} as const satisfies ObjectShape;

/** A server of the array form, which carries its name. */
export const namedServerShape = {
  ...sharedServerShape,
  fields: {
    name: {
      kind: "string",
      form: { pattern: serverNamePattern.source, words: serverNameWords },
      description: "The server's name.",
    },
    ...serverFields,
  },
  required: ["name"],
} as const satisfies ObjectShape;

/** The servers of the object form. */
export const sharedServersShape = {
  kind: "map",
  keys: { pattern: serverNamePattern.source, words: serverNameWords },
  of: sharedServerShape,
  description: "The servers, by name.",
} as const satisfies MapShape;

/** The object form of `mcp.json`. */
export const mcpShape = {
  kind: "object",
  fields: {
    $schema: { kind: "string", description: "Where an editor finds the schema of this file." },
    mcpServers: sharedServersShape,
  },
  unknown: "keep",
  hints: {
    servers:
      '"servers" is another program\'s key: it is kept and has no effect. Postern reads "mcpServers".',
  },
} as const satisfies ObjectShape;
