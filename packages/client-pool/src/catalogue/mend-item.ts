import { isJsonObject, type JsonObject, type JsonValue } from "@postern/tool";
import type { ListedKind } from "./listed-kinds.js";

/** An item of a list that can be passed on, and what had to be done for that. */
export type Mended =
  | {
      readonly ok: true;
      readonly item: JsonObject;
      /** What the server calls it. */
      readonly id: string;
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

const isText = (value: unknown): boolean => typeof value === "string";
const isFlag = (value: unknown): boolean => typeof value === "boolean";

/** What optional members have to be: one of a wrong type makes some clients refuse the whole list. */
const optionalMembers: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  mimeType: isText,
  outputSchema: isJsonObject,
  annotations: isJsonObject,
  arguments: Array.isArray,
  icons: Array.isArray,
  _meta: isJsonObject,
};

const hints: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  readOnlyHint: isFlag,
  destructiveHint: isFlag,
  idempotentHint: isFlag,
  openWorldHint: isFlag,
};

/**
 * Checks one item of a list, so that a broken one costs nobody the others.
 *
 * @param item - What the server wrote.
 * @param listed - The kind of list.
 * @returns The item itself where it is well formed, a mended copy, or why it cannot be used.
 */
export function mendItem(item: unknown, listed: ListedKind): Mended {
  if (!isJsonObject(item)) return { ok: false, problem: "it is not an object" };
  const id = item[listed.id];
  if (typeof id !== "string" || id === "")
    return { ok: false, problem: `its ${listed.id} is missing or not text` };
  const repairs: string[] = [];
  let mended = withoutWrongMembers(item, optionalMembers, repairs);
  if (listed.kind === "tool") {
    const schema = mended["inputSchema"];
    if (!isJsonObject(schema))
      return { ok: false, problem: "its inputSchema is missing or not an object" };
    if (schema["type"] === undefined) {
      mended = { ...mended, inputSchema: { type: "object", ...withoutType(schema) } };
      repairs.push("its inputSchema had no type; object was put in");
    } else if (schema["type"] !== "object")
      return { ok: false, problem: "its inputSchema is not of type object" };
    mended = mendHints(mended, repairs);
  } else if (typeof mended["name"] !== "string") {
    mended = { ...mended, name: id };
    repairs.push(`its name was missing; its ${listed.id} was put in`);
  }
  return { ok: true, item: mended, id, repairs };
}

function withoutType(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "type"));
}

function mendHints(item: JsonObject, repairs: string[]): JsonObject {
  const annotations = item["annotations"];
  if (!isJsonObject(annotations)) return item;
  const kept = withoutWrongMembers(annotations, hints, repairs);
  if (kept === annotations) return item;
  // Of what is said of destruction and not understood, the worse is believed.
  const isUnclear = annotations["destructiveHint"] !== undefined && !("destructiveHint" in kept);
  return { ...item, annotations: isUnclear ? { ...kept, destructiveHint: true } : kept };
}

function withoutWrongMembers(
  holder: JsonObject,
  checks: Readonly<Record<string, (value: unknown) => boolean>>,
  repairs: string[],
): JsonObject {
  const wrong = Object.keys(checks).filter(
    (member) => holder[member] !== undefined && checks[member]?.(holder[member]) === false,
  );
  if (wrong.length === 0) return holder;
  for (const member of wrong) repairs.push(`its ${member} was of a wrong type and left out`);
  return Object.fromEntries(
    Object.entries(holder).filter(([member]): boolean => !wrong.includes(member)),
  ) as { [key: string]: JsonValue };
}
