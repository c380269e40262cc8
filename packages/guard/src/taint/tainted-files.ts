import { isRunnableFile } from "./runnable-file.js";

/** Programs that only show, compare or list the files named. */
const harmless =
  /^(?:cat|head|tail|less|more|wc|ls|stat|file|diff|grep|rg|sort|uniq|rm|mkdir|echo|git\s+(?:add|rm|diff|log|show|status|blame|restore|checkout))$/;
/** Programs that make one file of another. */
const copying = /^(?:cp|mv|ln|install|tee|dd|rsync)$/;

/** What a command does with tainted files. */
export interface FileUse {
  /** It runs one, or makes something that runs of one. */
  readonly isRun: boolean;
  /** Files that are tainted once it has run. */
  readonly made: readonly string[];
}

/**
 * Writes a path so that spellings of one file end the same.
 *
 * @param path - The path.
 * @returns The path with `/`, in lower case, without `.`, empty parts and quotes.
 */
export function toPlainPath(path: string): string {
  const parts = path
    .replace(/^file:\/\/(?:localhost)?/i, "")
    .replace(/["']/g, "")
    .replaceAll("\\", "/")
    .toLowerCase()
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  const plain: string[] = [];
  for (const part of parts)
    if (part === ".." && plain.length > 0) plain.pop();
    else if (part !== "..") plain.push(part);
  return plain.join("/");
}

/**
 * Tells whether two paths may be one file: one is the end of the other, as after a `cd`.
 *
 * @param one - A plain path.
 * @param other - Another.
 * @returns True when they may be one.
 */
export function maySamePath(one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/**
 * Reads what a command does with tainted files. Whatever is not known to be harmless runs them.
 *
 * @param command - The command or code.
 * @param isTainted - Whether a plain path is a tainted file's.
 * @returns What it does.
 */
export function readFileUse(command: string, isTainted: (path: string) => boolean): FileUse {
  const made: string[] = [];
  let isRun = false;
  const computes = /\$\(|`|<\(|\beval\b|\bxargs\b/.test(command);
  for (const pipeline of command.split(/&&|\|\||[;\n]|(?<!\|)&(?!&)/)) {
    const segments = pipeline.split("|").map((segment) => segment.trim());
    const words = segments.map((segment) =>
      segment.split(/[\s=<>(),[\]{}]+/).filter((word) => word !== ""),
    );
    const isMentioned = words.flat().some((word) => isTainted(toPlainPath(word)));
    if (!isMentioned) continue;
    const targets = [...pipeline.matchAll(/>+\s*([^\s;|&<>]+)/g)].map((found) =>
      toPlainPath(found[1] ?? ""),
    );
    if (words.some(([program = ""]) => copying.test(program)))
      targets.push(
        ...words
          .flat()
          .slice(1)
          .filter((word) => !word.startsWith("-"))
          .map((word) => toPlainPath(word)),
      );
    made.push(...targets);
    const allKnown = segments.every((segment, at) => isHarmless(segment, words[at]?.[0] ?? ""));
    if (computes || !allKnown || targets.some((path) => isRunnableFile(path))) isRun = true;
  }
  return { isRun, made };
}

function isHarmless(segment: string, program: string): boolean {
  if (harmless.test(program) || copying.test(program)) return true;
  return harmless.test(segment.split(/\s+/).slice(0, 2).join(" "));
}
