import type { ObjectShape } from "../schema/shape.js";

const rule = {
  kind: "object",
  fields: {
    name: {
      kind: "string",
      form: {
        pattern: "^[A-Za-z0-9_-]{1,64}$",
        words: "a name of 1 to 64 letters, digits, _ and -",
      },
      description: "How the rule is named in questions and in the audit.",
    },
    decision: {
      kind: "string",
      values: ["allow", "warn", "review", "block"],
      description: "What follows. A project's rule can only make a decision stricter.",
    },
    pattern: {
      kind: "string",
      form: { pattern: "^[^\\u0000]{1,1000}$", words: "1 to 1,000 characters" },
      description: "A regular expression that is looked for in what a call would do.",
    },
    tools: {
      kind: "list",
      of: { kind: "string" },
      notEmpty: true,
      description: "Only for these tools, by shown name; `*` stands for anything. Left out: all.",
    },
    reason: { kind: "string", description: "What the person who is asked is told." },
  },
  required: ["name", "decision", "pattern"],
  unknown: "refuse",
} as const satisfies ObjectShape;

/** The `guard` part. */
export const guardShape = {
  kind: "object",
  fields: {
    mode: {
      kind: "string",
      values: ["off", "observe", "enforce"],
      description:
        "`observe` records what would be asked and blocks only what nobody may allow; `enforce` asks.",
    },
    approvals: {
      kind: "string",
      values: ["ask", "deny", "allow"],
      description: "What becomes of a call that needs a person's approval.",
    },
    taint: {
      kind: "boolean",
      description: "Whether content from outside is followed into later calls.",
    },
    rules: { kind: "list", of: rule, description: "Rules of your own, beside those built in." },
  },
  unknown: "refuse",
  description: "What is asked, blocked and recorded.",
} as const satisfies ObjectShape;
