/** The rules of the ledger. Each can be switched off by itself, to see what it stops. */
export const taintRules = [
  /** A command or code holds 40 characters of untrusted text, or is one of its values as a whole. */
  "exec_content",
  /** A command names a URL that untrusted text named, or that it came from. */
  "exec_reference",
  /** A command runs a file that untrusted text was written to, or makes something that runs of one. */
  "exec_file",
  /** Untrusted text goes into a file that something will run. */
  "write_content",
  /** Untrusted text is sent on. */
  "send_content",
  /** What is sent goes where untrusted text said. */
  "send_destination",
  /** Text from local files goes out, after untrusted text was read. */
  "send_local",
  /** Text that another worker read, or the joined halves of two. */
  "split_flow",
  /** Text of a tool's description counts as untrusted. */
  "description",
  /** Text is also recognised in base64, hex or percent encoding. */
  "encoded",
  /** Once anything untrusted was read, every exec, write and send asks. */
  "narrowing",
  /** The same side effect happens once. */
  "repeat",
] as const;

/** The name of a rule. */
export type TaintRule = (typeof taintRules)[number];

/** Why a call is put to the owner. */
export interface TaintFinding {
  /** Which rule; `evicted` where more was read than is remembered, which cannot be switched off. */
  readonly rule: TaintRule | "evicted";
  /** In words, without any text of others. */
  readonly reason: string;
}
