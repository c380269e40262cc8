import { isJsonObject, type JsonValue, type ResolvedCall } from "@postern/tool";
import { isRunnableFile } from "./runnable-file.js";

/** A string somewhere in the arguments. */
export interface Leaf {
  /** The name of the nearest member that holds it, in lower case words joined by `_`. */
  readonly name: string;
  readonly text: string;
}

/** What a call can do, told by the tool's annotations and the shape of its arguments. */
export interface CallShape {
  readonly leaves: readonly Leaf[];
  /** It runs a command or code. */
  readonly isExec: boolean;
  /** The commands or code. */
  readonly commands: readonly string[];
  /** Paths of files that it may write. */
  readonly writes: readonly string[];
  /** It changes something out there: open world, and not read-only. */
  readonly isSend: boolean;
  /** It reads from an open world: what its arguments carry leaves the machine all the same. */
  readonly isQuery: boolean;
}

const commandWords: ReadonlySet<string> = new Set(
  "command commands cmd cmds cmdline script scripts code shell bash exec eval program expression snippet argv javascript python sql".split(
    " ",
  ),
);
const pathWords: ReadonlySet<string> = new Set(
  "path paths file files filename filepath pathname destination dest target output".split(" "),
);
const destinationWords: ReadonlySet<string> = new Set(
  "url urls uri to cc bcc recipient recipients email address endpoint webhook host hostname remote channel callback server".split(
    " ",
  ),
);
/** A text that a shell would take for a command, under whatever name it comes. */
const commandLike =
  /^#!|\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|(?:^|[;&|\n]\s*)(?:sudo|curl|wget|bash|sh|eval|rm|chmod|npx|npm|pip|python3?|node|powershell|nc|ssh|scp)\s+\S/i;

/**
 * Reads what a call can do. Hints of a tool that may be lies only ever add to what its arguments' shape says.
 *
 * @param call - The call.
 * @returns Its shape.
 */
export function readShape(call: ResolvedCall): CallShape {
  const leaves = findLeaves(call.arguments);
  const hints = call.listing.annotations ?? {};
  const isTool = call.method === "tools/call";
  const isOpen = hints.openWorldHint !== false;
  const isReader = !isTool || hints.readOnlyHint === true;
  const paths = leaves.filter((leaf) => isPathLeaf(leaf, call.listing.checkpaths));
  const isDestructive = !isReader && hints.destructiveHint !== false && paths.length === 0;
  const commands = leaves
    .filter(
      ({ name, text }) => isNamed(name, commandWords) || (isDestructive && commandLike.test(text)),
    )
    .map(({ text }) => text);
  return {
    leaves,
    isExec: isTool && commands.length > 0,
    commands: commands.length > 1 ? [...commands, commands.join(" ")] : commands,
    writes: isReader ? [] : paths.map(({ text }) => text),
    isSend: isOpen && !isReader && commands.length === 0,
    isQuery: isOpen && isReader,
  };
}

/** Tells whether an argument says where something goes. */
export function isDestination({ name, text }: Leaf): boolean {
  return isNamed(name, destinationWords) || /^(?:https?|wss?|ftp|mailto):/i.test(text);
}

/**
 * Finds all strings in a value, with the names they stand under. Numbers and booleans hold no text.
 *
 * @param value - Any JSON value.
 * @param name - The name it stands under itself.
 * @returns The strings, in order; names of members too long to be names are strings as well.
 */
export function findLeaves(value: JsonValue | undefined, name = ""): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const pending: { readonly value: JsonValue | undefined; readonly name: string }[] = [
    { value, name },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: each, name: under } = next;
    if (typeof each === "string") leaves.push({ name: under, text: each });
    else if (Array.isArray(each))
      for (const item of (each as readonly JsonValue[]).toReversed())
        pending.push({ value: item, name: under });
    else if (isJsonObject(each))
      for (const [key, member] of Object.entries(each).toReversed()) {
        pending.push({ value: member, name: key });
        // Text can hide in a key as well as in a value.
        if (key.length >= 20) pending.push({ value: key, name: under });
      }
  }
  return leaves;
}

function isPathLeaf({ name, text }: Leaf, checkpaths: readonly string[]): boolean {
  if (text.length > 4_096 || text.includes("\n") || /^(?!file:)[a-z]{2,}:\/\//i.test(text))
    return false;
  return (
    checkpaths.includes(name) ||
    isNamed(name, pathWords) ||
    text.startsWith("file:") ||
    (text.length < 200 && isRunnableFile(text) && text.includes("/") && !text.includes(" "))
  );
}

function isNamed(name: string, words: ReadonlySet<string>): boolean {
  if (words.has(name)) return true;
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => words.has(word));
}
