import { isJsonObject, type JsonValue } from "@postern/tool";

const maxOutputChars = 2_000;

/**
 * Turns a Jupyter notebook into Markdown: text as it is, code in fences, and after it what it printed.
 *
 * @param source - The notebook's JSON.
 * @returns The text; undefined when it is no notebook.
 * @see https://nbformat.readthedocs.io, The notebook format, version 4
 */
export function parseNotebook(source: string): string | undefined {
  const notebook = parse(source);
  if (!isJsonObject(notebook) || !Array.isArray(notebook["cells"])) return undefined;
  const language = findLanguage(notebook["metadata"]);
  return (notebook["cells"] as readonly JsonValue[])
    .map((cell, at) => toCell(cell, { number: at + 1, language }))
    .join("\n\n");
}

function parse(source: string): JsonValue | undefined {
  try {
    return JSON.parse(source) as JsonValue;
  } catch {
    return undefined;
  }
}

function findLanguage(metadata: JsonValue | undefined): string {
  const info = isJsonObject(metadata) ? metadata["language_info"] : undefined;
  const name = isJsonObject(info) ? info["name"] : undefined;
  return typeof name === "string" && /^[\w+#-]{1,20}$/.test(name) ? name : "";
}

function toCell(
  cell: JsonValue,
  { number, language }: { readonly number: number; readonly language: string },
): string {
  if (!isJsonObject(cell)) return `[Cell ${number}]`;
  const source = toText(cell["source"]);
  if (cell["cell_type"] !== "code") return `[Cell ${number}]\n${source}`;
  const outputs = Array.isArray(cell["outputs"]) ? (cell["outputs"] as readonly JsonValue[]) : [];
  const shown = outputs.map(toOutput).filter((text) => text !== "");
  return [`[Cell ${number}, code]`, toFenced(source, language), ...shown].join("\n");
}

function toOutput(output: JsonValue): string {
  if (!isJsonObject(output)) return "";
  if (output["output_type"] === "stream") return toCut(toText(output["text"]));
  if (output["output_type"] === "error")
    return toCut(`${toText(output["ename"])}: ${toText(output["evalue"])}`);
  const data = isJsonObject(output["data"]) ? output["data"] : {};
  const text = toText(data["text/plain"]);
  const others = Object.keys(data).filter((type) => type !== "text/plain" && type !== "text/html");
  return [toCut(text), ...others.map((type) => `[${type.slice(0, 60)} left out]`)]
    .filter((part) => part !== "" && part !== "[Output]\n")
    .join("\n");
}

function toCut(text: string): string {
  if (text.trim() === "") return "";
  const cut =
    text.length > maxOutputChars
      ? `${text.slice(0, maxOutputChars)}\n[${text.length - maxOutputChars} more characters]`
      : text;
  return `[Output]\n${cut.trimEnd()}`;
}

/** A text is one string, or a list of lines. */
function toText(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return (value as readonly JsonValue[]).filter((line) => typeof line === "string").join("");
}

/** A fence longer than any in the code. */
function toFenced(source: string, language: string): string {
  const longest = (source.match(/`{3,}/g) ?? []).reduce(
    (most, run) => Math.max(most, run.length),
    2,
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${source.trimEnd()}\n${fence}`;
}
