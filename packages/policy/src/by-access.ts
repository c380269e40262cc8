import { allowed, type Decision, type Listing, type ToolRule } from "@postern/tool";
import { parseAccessLevel, type AccessLevel } from "./access-level.js";
import { createRefusal } from "./decisions.js";
import { policyErrors, toShown } from "./errors.js";
import { createKeyTable } from "./tool-keys.js";

/** What the owner says of a tool's effects. A field that is left out leaves that question to the annotations. */
export interface DeclaredAccess {
  /** Whether it changes nothing. */
  readonly readOnly?: boolean;
  /** Whether it may destroy something. */
  readonly destructive?: boolean;
}

const annotatedDestructive = createRefusal("read_only: annotated destructive");
const declaredDestructive = createRefusal("read_only: declared destructive");
const notAnnotated = createRefusal("read_only: not annotated read-only");
const declaredNotReadOnly = createRefusal("read_only: declared not read-only");

/**
 * Admits by effect. `read_only` admits a tool only when it is known to be read-only and not known to be destructive;
 * a tool that says nothing is refused. What the owner declares beats the annotations, field by field: declaring only
 * `readOnly: true` leaves a tool that is annotated destructive refused. Prompts, resources and templates are read, not
 * run, and stay.
 *
 * @param level - `full` admits everything.
 * @param declared - By exposed name or `server/tool`. Where both keys mean one tool, the stricter word of each field
 * counts. Check the keys with `checkToolKeys` first: a key that means two tools must grant nothing.
 * @returns The rule. Reasons: `read_only: annotated destructive`, `read_only: not annotated read-only`,
 * `read_only: declared destructive`, `read_only: declared not read-only`.
 * @throws {PosternError} `UNKNOWN_ACCESS_LEVEL`, or `INVALID_RULE` when a declared value is no boolean.
 * @see Klea "MCP servers", Tool access levels
 */
export function byAccess(
  level: AccessLevel,
  declared: Readonly<Record<string, DeclaredAccess>> = {},
): ToolRule {
  const known = parseAccessLevel(level);
  if (known === undefined) throw policyErrors.UNKNOWN_ACCESS_LEVEL({ level: toShown(level) });
  const entries = Object.entries(declared);
  for (const [key, access] of entries) assertDeclaredAccess(key, access);
  if (known === "full") return () => allowed;
  if (entries.length === 0) return (listing) => decide(listing, undefined);
  const table = createKeyTable(entries.map(([key, access]) => [key, { ...access }] as const));
  return (listing) => decide(listing, toStrictest(table.find(listing)));
}

function assertDeclaredAccess(key: string, access: unknown): void {
  const fields = typeof access === "object" && access !== null ? Object.entries(access) : undefined;
  const usable = fields?.every(
    ([field, value]) =>
      (field === "readOnly" || field === "destructive") &&
      (value === undefined || typeof value === "boolean"),
  );
  if (usable !== true)
    throw policyErrors.INVALID_RULE({
      option: key,
      problem: "it must have only readOnly and destructive, each true or false",
    });
}

function toStrictest(found: readonly DeclaredAccess[]): DeclaredAccess | undefined {
  const [first, second] = found;
  if (first === undefined || second === undefined) return first;
  const readOnly = [first.readOnly, second.readOnly].filter((value) => value !== undefined);
  const destructive = [first.destructive, second.destructive].filter(
    (value) => value !== undefined,
  );
  return {
    ...(readOnly.length > 0 ? { readOnly: readOnly.every(Boolean) } : {}),
    ...(destructive.length > 0 ? { destructive: destructive.some(Boolean) } : {}),
  };
}

function decide(listing: Listing, declared: DeclaredAccess | undefined): Decision {
  if (listing.kind !== "tool") return allowed;
  // Annotations come from a server: a value of the wrong type must count as the dangerous one.
  const readOnlyHint: unknown = listing.annotations?.readOnlyHint;
  const destructiveHint: unknown = listing.annotations?.destructiveHint ?? false;
  if (declared?.destructive === true) return declaredDestructive;
  if (declared?.destructive === undefined && destructiveHint !== false) return annotatedDestructive;
  if (declared?.readOnly === false) return declaredNotReadOnly;
  if (declared?.readOnly === undefined && readOnlyHint !== true) return notAnnotated;
  return allowed;
}
