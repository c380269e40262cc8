import { isJsonObject, type JsonValue, type ResolvedCall } from "@postern/tool";

/** The texts of a call, as rules read them. */
export interface ActionTexts {
  /** The tool's name and each text of the arguments that is no document, one after the other on lines of their own. */
  readonly lines: readonly string[];
  /** Documents: content, patches, messages. */
  readonly documents: readonly string[];
}

const documents = new Set(
  "content contents patch old new old_string new_string old_text new_text body text message spec markdown html description title prompt query".split(
    " ",
  ),
);
const maxTexts = 1_000;

/**
 * Reads what a call would do.
 *
 * @param call - The call.
 * @returns Its texts, as they are: never written as JSON, whose escapes would hide words.
 */
export function readAction({ name, arguments: given }: ResolvedCall): ActionTexts {
  const lines: string[] = [name];
  const found: string[] = [];
  const pending: { readonly value: JsonValue | undefined; readonly isDocument: boolean }[] = [
    { value: given, isDocument: false },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, isDocument } = next;
    if (lines.length + found.length > maxTexts) break;
    if (typeof value === "string") (isDocument ? found : lines).push(value);
    else if (Array.isArray(value)) takeList(value as readonly JsonValue[], isDocument, pending);
    else if (isJsonObject(value))
      for (const [key, member] of Object.entries(value))
        pending.push({ value: member, isDocument: isDocument || documents.has(toSnake(key)) });
  }
  return { lines, documents: found };
}

/** A list of words is a command as well. */
function takeList(
  list: readonly JsonValue[],
  isDocument: boolean,
  pending: { readonly value: JsonValue | undefined; readonly isDocument: boolean }[],
): void {
  for (const value of list) pending.push({ value, isDocument });
  if (list.length > 1 && list.every((value) => typeof value === "string"))
    pending.push({ value: list.map(quote).join(" "), isDocument });
}

function quote(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function toSnake(name: string): string {
  return name.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2").toLowerCase();
}
