import {
  canonicalJson,
  toQuoted,
  type Answer,
  type JsonObject,
  type Question,
} from "@postern/tool";
import type { PathMention } from "../paths/path-mentions.js";
import type { PathRequest } from "../paths/check-paths.js";

/**
 * What the owner may answer. A form offers the first four; the others only a person who sees more than a form can give,
 * such as the one at the terminal.
 */
export type PathAnswer =
  | "once"
  | "session"
  | "deny"
  | "deny_session"
  | "always"
  | "session_folder"
  | "always_folder";

const offered: readonly PathAnswer[] = ["once", "session", "deny", "deny_session"];
const answers: ReadonlySet<unknown> = new Set<PathAnswer>([
  ...offered,
  "always",
  "session_folder",
  "always_folder",
]);

/** So many paths are asked about at once: of more nobody reads each. */
const maxPaths = 20;
const maxQuoted = 1_100;
const maxName = 200;
/** A program is shown whole. */
const maxUnknown = 3_000;

const schema: JsonObject = {
  type: "object",
  properties: {
    answer: {
      type: "string",
      enum: [...offered],
      enumNames: [
        "allow for this call",
        "allow until this session ends",
        "deny",
        "deny until this session ends",
      ],
    },
  },
  required: ["answer"],
};

/**
 * Writes the one question about all paths of a call.
 *
 * @param tool - Who wants them, by shown name.
 * @param requests - What `checkPaths` found.
 * @returns The question; undefined when there are too many paths, or one does not fit: what is not shown whole is not
 *   approved.
 */
export async function toPathQuestion(
  tool: string,
  requests: readonly PathRequest[],
): Promise<Question | undefined> {
  const details = requests.flatMap(toDetails);
  if (details.length > maxPaths) return undefined;
  const name = toQuoted(tool, maxName);
  const lines = details.map(toLine);
  if (name === undefined || !lines.every((line) => line !== undefined)) return undefined;
  const what = { kind: "paths", tool, requests: details };
  return {
    id: `paths:${await toDigest(canonicalJson(what))}`,
    to: "owner",
    message: [
      `The tool ${name} wants to use ${details.length === 1 ? "a path that needs" : `${details.length} paths that need`} consent:`,
      ...lines,
      "What you allow is exactly what is listed: a file alone, a folder with all below it.",
    ].join("\n"),
    schema,
    details: what,
  };
}

/**
 * Reads the owner's answer.
 *
 * @param answer - What `ask` resolved to.
 * @returns What it means; anything that is no answer is `deny`.
 */
export function readPathAnswer({ action, content }: Answer): PathAnswer {
  const given = action === "accept" ? content?.["answer"] : undefined;
  return answers.has(given) ? (given as PathAnswer) : "deny";
}

/** One path that is asked about. */
interface PathDetails extends JsonObject {
  readonly kind: PathRequest["kind"];
  readonly path: string;
  readonly isFolder: boolean;
  readonly isSensitive: boolean;
  readonly raw: string;
  readonly argument: string;
  readonly confidence: PathMention["confidence"];
  /** Why nobody can tell what it touches; else empty. */
  readonly unknown: string;
}

function toDetails({ kind, targets, sensitive }: PathRequest): readonly PathDetails[] {
  return targets.map(({ path, isDirectory, mention }) => {
    const { raw, argument, confidence, unknown = "" } = mention;
    const isSensitive = sensitive.includes(path);
    return { kind, path, isFolder: isDirectory, isSensitive, raw, argument, confidence, unknown };
  });
}

const confidences: Readonly<Record<PathMention["confidence"], string>> = {
  declared: "which the tool declares as a path",
  named: "which is named like one of a path",
  command: "a command",
  value: "which looks like a path",
};

function toLine(details: PathDetails, at: number): string | undefined {
  if (details.kind === "unknown") return toUnknownLine(details, at);
  const { path, raw, argument } = details;
  const [shown, written, name] = [
    toQuoted(path, maxQuoted),
    toQuoted(raw, maxQuoted),
    toQuoted(argument, maxName),
  ];
  if (shown === undefined || written === undefined || name === undefined) return undefined;
  const as = raw === path ? "written" : `written ${written},`;
  return `${at + 1}. ${shown}: ${toReason(details)}; ${as} in ${name}, ${confidences[details.confidence]}.`;
}

function toUnknownLine({ raw, argument, unknown }: PathDetails, at: number): string | undefined {
  const [shown, name] = [toQuoted(raw, maxUnknown), toQuoted(argument, maxName)];
  if (shown === undefined || name === undefined) return undefined;
  return `${at + 1}. ${shown}: may touch anything, for ${unknown}; in ${name}.`;
}

function toReason({ kind, isFolder, isSensitive }: PathDetails): string {
  const what = isFolder ? "a folder with all below it" : "a file";
  const where = kind === "outside" ? ` outside the project` : " of the project";
  return `${what}${where}${isSensitive ? ", which usually holds secrets" : ""}`;
}

async function toDigest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
