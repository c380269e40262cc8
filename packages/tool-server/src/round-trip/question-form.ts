import { canonicalJson, type Answer, type JsonObject, type Question } from "@postern/tool";
import { isJsonObject } from "@postern/tool";
import { serverErrors } from "../errors.js";
import { parseFormSchema, readContent } from "./form-schema.js";

/** The first line of every form for the owner. Nothing of ours or of anybody's stands before it. */
const ownerLine = "Postern asks for the owner.";

const maxMessageLength = 4_000;
const maxSchemaLength = 16_000;

/** A question as it goes to a client. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: JsonObject;
}

/**
 * Writes a question as the form that a client shows.
 *
 * @param question - The question.
 * @returns The form.
 * @throws {PosternError} `QUESTION_REFUSED` when it is too long, is not plain to see, or has a schema that is no form: it
 *   is never cut, for what is not shown is not approved.
 */
export function toForm(question: Question): Form {
  const { to, message, schema } = question;
  const whole = to === "owner" ? `${ownerLine}\n${message}` : message;
  const problem = findProblem(whole, question);
  if (problem !== undefined) throw serverErrors.QUESTION_REFUSED({ problem });
  return { message: whole, requestedSchema: schema };
}

function findProblem(whole: string, { message, schema }: Question): string | undefined {
  if (whole.length > maxMessageLength)
    return `its message is longer than ${maxMessageLength} characters`;
  const parsed = parseFormSchema(schema);
  if (typeof parsed === "string") return parsed;
  const text = canonicalJson(schema);
  if (text.length > maxSchemaLength)
    return `its schema is longer than ${maxSchemaLength} characters`;
  const words = [message, ...toTexts(schema)];
  if (words.some((part) => hidden.test(part)))
    return "it holds characters that are not seen, or that turn the text around them";
  if (words.some(looksLikeOurs)) return "it holds the line by which Postern's own forms begin";
  return undefined;
}

/** Controls but the line feed, marks that turn or hide text, and ends of lines that are not seen as such. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/**
 * Tells whether a text could be taken for the first line of a form of ours.
 *
 * @param text - Text that is not ours.
 * @returns True for the line in any letter case, spacing and punctuation.
 */
export function looksLikeOurs(text: string): boolean {
  return toLetters(text).includes(ownerLetters);
}

const ownerLetters = toLetters(ownerLine);

function toLetters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, "");
}

/**
 * Finds every text in a value.
 *
 * @param value - Any JSON.
 * @returns Its strings, and the names of its members.
 */
export function toTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(toTexts);
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([name, member]) => [name, ...toTexts(member)])
    : [];
}

const no: Answer = Object.freeze({ action: "cancel" });

/**
 * Reads what came back for a question. Whatever is not an answer to it counts as no.
 *
 * @param question - The question.
 * @param response - What the client, or whoever answered, sent.
 * @returns The answer.
 */
export function readAnswer({ schema }: Question, response: unknown): Answer {
  if (!isJsonObject(response)) return no;
  if (response["action"] === "decline") return { action: "decline" };
  const form = response["action"] === "accept" ? parseFormSchema(schema) : "";
  if (typeof form === "string") return no;
  const content = readContent(form, response["content"]);
  return content === undefined ? no : { action: "accept", content };
}
