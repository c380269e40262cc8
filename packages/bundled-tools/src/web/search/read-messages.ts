import type { SafeResponse } from "@postern/safe-fetch";
import { isJsonObject, type JsonObject } from "@postern/tool";
import { toText } from "./open-answer.js";
import { createSseReader } from "./sse-reader.js";

/** What came back for a request that was posted. */
export interface Outcome {
  readonly status: number;
  /** The message that answers the request; undefined when there is none. */
  readonly reply: JsonObject | undefined;
}

/**
 * Reads the answer to a JSON-RPC request that was posted, which is JSON or a stream of server-sent events.
 *
 * @param response - Its body is read as far as needed, and closed.
 * @param id - Of the request.
 * @returns The status and the reply. Notifications, `[DONE]`, comments and what is no JSON are passed over.
 * @throws {PosternError} As reading the body of a safe fetch.
 */
export async function readOutcome(response: SafeResponse, id: number): Promise<Outcome> {
  try {
    return { status: response.status, reply: await readReply(response, id) };
  } finally {
    await response.close();
  }
}

async function readReply(response: SafeResponse, id: number): Promise<JsonObject | undefined> {
  const contentType = response.headers.get("content-type") ?? "";
  if (/^\s*text\/event-stream/i.test(contentType)) return await readStream(response, id);
  const text = toText((await response.bytes()).data);
  const whole = findReply(text, id);
  if (whole !== undefined) return whole;
  // Some gateways keep the events and lose their type.
  const reader = createSseReader();
  return findFirst([...reader.read(text), ...reader.readRest()], id);
}

/** A server may keep the stream open after its answer, so this does not wait for the end. */
async function readStream(response: SafeResponse, id: number): Promise<JsonObject | undefined> {
  const reader = createSseReader();
  const decoder = new TextDecoder();
  for await (const piece of response.body) {
    const reply = findFirst(reader.read(decoder.decode(piece, { stream: true })), id);
    if (reply !== undefined) return reply;
  }
  return findFirst([...reader.read(decoder.decode()), ...reader.readRest()], id);
}

function findFirst(texts: readonly string[], id: number): JsonObject | undefined {
  for (const text of texts) {
    const reply = findReply(text, id);
    if (reply !== undefined) return reply;
  }
  return undefined;
}

function findReply(text: string, id: number): JsonObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  return messages.find((message) => isReply(message, id)) as JsonObject | undefined;
}

function isReply(message: unknown, id: number): boolean {
  if (!isJsonObject(message)) return false;
  // An error about a request that could not be read has no id (JSON-RPC 2.0 §5).
  if (isJsonObject(message["error"])) return (message["id"] ?? null) === null || isId(message, id);
  return isJsonObject(message["result"]) && isId(message, id);
}

function isId(message: JsonObject, id: number): boolean {
  // Some servers give it back as a text.
  return message["id"] === id || message["id"] === String(id);
}
