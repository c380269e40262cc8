import { readFile } from "node:fs/promises";
import { isJsonObject, type JsonObject, type JsonValue } from "@postern/tool";
import { agentErrors } from "./errors.js";

const usage = (problem: string): Error => agentErrors.USAGE({ problem });
const forms = "write key=text, key:=json or key=@file";

/**
 * Reads the arguments of a tool from the words of the command line.
 *
 * @param words - `key=text`, `key:=json`, `key=@file` (the file's text) or `key:=@file` (the file's JSON).
 * @param whole - The text of `--args`: all arguments as one JSON object.
 * @returns The arguments.
 * @throws {PosternError} `USAGE` naming the word by its position: its text may hold a secret.
 */
export async function readCallArguments(
  words: readonly string[],
  whole: string | undefined,
): Promise<JsonObject> {
  if (whole !== undefined) {
    if (words.length > 0)
      throw usage("Give the arguments either as --args JSON or as key=value words, not both.");
    return parseWhole(whole);
  }
  const entries = new Map<string, JsonValue>();
  for (const [index, word] of words.entries()) {
    const place = `argument ${index + 1}`;
    const [, key, operator, text] = /^([^:=]+)(:=|=)(.*)$/su.exec(word) ?? [];
    if (key === undefined || operator === undefined || text === undefined)
      throw usage(`${toSentence(place)} of the tool is not understood: ${forms}.`);
    if (entries.has(key)) throw usage(`${toSentence(place)} names a key that was given before.`);
    const value = text.startsWith("@") ? await readArgumentFile(text.slice(1), place) : text;
    // A byte order mark is part of a text, and no part of JSON.
    entries.set(
      key,
      operator === ":=" ? parseJsonValue(value.replace(/^\ufeff/, ""), place) : value,
    );
  }
  return Object.fromEntries(entries);
}

function parseWhole(text: string): JsonObject {
  const value = parseJsonValue(text, "--args");
  if (!isJsonObject(value)) throw usage('--args takes one JSON object, such as \'{"path": "."}\'.');
  return value;
}

function parseJsonValue(text: string, place: string): JsonValue {
  let isTooLarge = false;
  try {
    const value = JSON.parse(text, (_key, item: unknown) => {
      isTooLarge ||= item === Infinity || item === -Infinity;
      return item;
    }) as JsonValue;
    if (!isTooLarge) return value;
  } catch {
    throw usage(`${toSentence(place)} is not JSON, or nested too deep. Text goes in as key=text.`);
  }
  // It would be sent as null.
  throw usage(`${toSentence(place)} holds a number that is too large.`);
}

async function readArgumentFile(path: string, place: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "not UTF-8 text";
    throw usage(
      `${toSentence(place)} names a file that cannot be read (${code}). For text that begins with @, write key:='"@text"'.`,
    );
  }
}

function toSentence(place: string): string {
  return place[0]?.toUpperCase() + place.slice(1);
}
