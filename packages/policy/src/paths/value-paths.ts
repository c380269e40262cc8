import { parsePathText } from "./file-url.js";
import { findWordPaths } from "./word-paths.js";

const words = (text: string): RegExp => new RegExp(`(?:^|[^a-z])(?:${text})(?:$|[^a-z])`, "i");

/** Names of arguments whose text is for readers, or is compared with text. */
const freeText = words(
  "content|contents|text|body|message|messages|query|q|pattern|patterns|regex|regexp|search|prompt|description|title|subject|comment|comments|note|notes|summary|old_string|new_string|old_text|new_text|old_str|new_str|replacement|html|markdown|css|style|selector|xpath|route|endpoint|href|schedule|cron|version|ref|branch|topic|sql|statement|observations|caption|heading|details|reason|answer|question|instructions|id|ids|library|thought|snippet|example",
);
/** Names of arguments whose text another program reads, with paths in it. */
const configText = words("yaml|yml|compose|dockerfile|manifest|toml|ini|conf|config|hcl|crontab");
/** Names of arguments whose text a program runs. */
const codeText = words(
  "code|source|javascript|python|ruby|perl|typescript|program|macro|snippet|function|cell",
);
const queryText = words("sql|query|statement");
const globText = words("pattern|patterns|include|includes|exclude|excludes|glob|globs");
const reachingSql =
  /\b(?:attach\s+(?:database\s)?|readfile\s*\(|writefile\s*\(|load_extension\s*\(|load_file\s*\(|into\s+(?:out|dump)file|pg_read_file|lo_import|lo_export|copy\s[^;]{0,300}\b(?:from|to)\s+(?:program\s+)?')/i;

/** No path of the system is longer. */
const maxLength = 4_096;
const maxStatement = 100_000;
const maxSettings = 500_000;

/**
 * Tells whether an argument's text is not searched for what looks like a path.
 *
 * @param name - The argument's name.
 * @returns True for content, messages, patterns, queries and the like.
 */
export function isFreeText(name: string): boolean {
  return freeText.test(toParted(name)) && !configText.test(toParted(name));
}

/**
 * Tells whether an argument's text of several lines is settings that another program follows.
 *
 * @param name - The argument's name.
 * @returns True for `compose_yaml` and the like.
 */
export function isConfigText(name: string): boolean {
  return configText.test(toParted(name));
}

/**
 * Finds why a text may touch anything though it is no path: code, or a statement that names files.
 *
 * @param name - The argument's name.
 * @param text - Its text.
 * @returns The reason, in a few words; undefined where there is none.
 */
export function findCodeReason(name: string, text: string): string | undefined {
  const parted = toParted(name);
  if (codeText.test(parted) && /[\n;]|[(]|=>|^!|^%/.test(text)) return "it is code that is run";
  if (queryText.test(parted)) {
    if (text.length > maxStatement) return "its statement is too long to look through";
    if (reachingSql.test(text)) return "its statement names files";
  }
  if (globText.test(parted) && /(?:^|[\s,{(|])(?:\.\.(?:\/|$)|\/[^\s]*\*|~\/)/.test(text))
    return "it looks for names outside of where it begins";
  return undefined;
}

/**
 * Finds the paths that a text may stand for, whatever its name.
 *
 * @param text - The text.
 * @returns The paths: empty for text with blanks that does not begin like a path, and for URLs of the web.
 */
export function findValuePaths(text: string): readonly string[] {
  if (text.includes("\n")) return findLinePaths(text.slice(0, maxSettings));
  if (text.length > maxLength) return [];
  const clean = toClean(text);
  const file = /(?:^|[^a-z])(file:.*)$/is.exec(clean)?.[1];
  if (file !== undefined) return toPaths(file);
  const uri = /^([a-z][a-z\d+.-]*):(\/\/)?(.*)$/is.exec(clean);
  if (uri !== null && (uri[1] ?? "").length > 1)
    return findUriPaths(uri[1] ?? "", uri[3] ?? "", uri[2] === undefined);
  if (/^[A-Za-z]:[\\/]/.test(clean)) return [clean];
  const spellings = clean.includes("\\") ? [clean, clean.replaceAll("\\", "/")] : [clean];
  return spellings
    .flatMap((each) => findWordPaths(each))
    .filter((each) => /^(?:[/~]|[A-Za-z]:[\\/]|\\\\)|(?:^|\/)\.{1,2}(?:\/|$)|^\.\w|\//.test(each))
    .filter((each) => !/\s/.test(each) || /^(?:[/~]|\.\.?\/)/.test(each));
}

/** Of the web nothing is a file of this machine; of every other kind of address an absolute path, or one that climbs, may be. */
function findUriPaths(scheme: string, rest: string, isBare: boolean): readonly string[] {
  if (
    /^(?:https?|wss?|ftp|mailto|tel|data|git|ssh|urn|npm|docker|oci|s3|gs|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp|node|blob|about|chrome|javascript)$/i.test(
      scheme,
    )
  )
    return [];
  const path = rest.replace(/[?#].*$/s, "");
  if (isBare)
    return path.startsWith("/") || path.includes("..")
      ? findWordPaths(path)
      : findWordPaths(`${scheme}:${path}`);
  if (path.startsWith("/")) return toPaths(path.replace(/^\/+/, "/"));
  return /(?:^|\/)\.\.(?:\/|$)/.test(decode(path))
    ? toPaths(decode(path).replace(/^[^/]*\//, ""))
    : [];
}

/** Text of several lines, such as a file of settings: only what is a path beyond doubt. */
function findLinePaths(text: string): readonly string[] {
  const found = text.match(
    /(?<=^|[\s"'=:,[({-])(?:~\/|\.\.\/|\/(?:etc|var|root|home|usr|proc|sys|dev|opt|srv|tmp|run|mnt|Users)\/)[^\s"':,\])}]*/gm,
  );
  return (found ?? []).slice(0, 100);
}

function toPaths(text: string): readonly string[] {
  const path = parsePathText(text);
  return path === undefined ? [] : [path];
}

/** As readers of URLs have it: without blanks around, and without tabs and line ends. */
function toClean(text: string): string {
  const trimmed = text.trim();
  return /^[a-z\s]{1,20}:/i.test(trimmed) ? trimmed.replace(/[\t\n\r]/g, "") : trimmed;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `oldString` and `old-string` are `old_string`. */
function toParted(name: string): string {
  return name.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2");
}
