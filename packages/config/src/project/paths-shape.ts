import type { ObjectShape } from "../schema/shape.js";

/** Keys that name a tool. */
export const toolKeys = {
  pattern: "^[^\\s\\u0000]{1,200}$",
  words: "a tool's shown name (server_tool) or server/tool",
} as const;

/** The `paths` part. */
export const pathsShape = {
  kind: "object",
  fields: {
    root: {
      kind: "string",
      form: { pattern: "^[^\\u0000]+$", words: "a path" },
      description: "The folder that tools may use without asking. Left out: the project's.",
    },
    consent: {
      kind: "string",
      values: ["ask", "deny", "off"],
      description: "What becomes of a call that uses a path outside, or a file that holds secrets.",
    },
    sensitive: {
      kind: "list",
      of: {
        kind: "string",
        form: { pattern: "^[^\\u0000]{1,500}$", words: "a pattern of 1 to 500 characters" },
      },
      description: "Further files that hold secrets, as patterns of names or paths.",
    },
    checkpaths: {
      kind: "map",
      keys: toolKeys,
      of: { kind: "list", of: { kind: "string" }, notEmpty: true },
      description: "Which arguments of a tool hold paths, where its server does not say so.",
    },
  },
  unknown: "refuse",
  description: "Which paths may be touched.",
} as const satisfies ObjectShape;
