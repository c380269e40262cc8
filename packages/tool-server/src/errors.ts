import { defineErrors } from "@postern/errors";

/** Why the state of a retry is not taken. */
export type RefusedState = "not_ours" | "expired" | "other_request" | "used";

const refusedStates: Readonly<Record<RefusedState, string>> = {
  not_ours: "it was not sealed here, or was changed since",
  expired: "its time is up",
  other_request: "it belongs to another request, or to another caller",
  used: "it was used already",
};

/** What serving can be refused with, or fail with. */
export const serverErrors = defineErrors({
  OPEN_BIND: ({ reach }: { reach: string }) =>
    `Refused to serve without authentication ${reach}: whoever reaches it could call the tools. Ask for a credential (give \`authenticate\`, or leave out --no-auth), or serve on a loopback address under loopback names only.`,
  INVALID_OPTIONS: ({ problem }: { problem: string }) =>
    `The server's options cannot be used: ${problem}.`,
  PORT_UNAVAILABLE: ({ host, port, reason }: { host: string; port: number; reason: string }) =>
    `Could not listen on ${host}, port ${port} (${reason}). Choose another port, or 0 for any free one.`,
  FORBIDDEN_HOST:
    "The request is addressed to a host name that is not served here. Use a loopback name, or have the owner allow this one.",
  FORBIDDEN_ORIGIN:
    "Pages of this origin may not send requests here. The owner can allow the origin.",
  UNKNOWN_PATH: "Nothing is served at this path.",
  UNAUTHENTICATED: "A valid credential is needed: send `Authorization: Bearer <token>`.",
  TOO_MANY_FAILURES: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
    `Too many wrong credentials came from this address. Try again in ${retryAfterSeconds} s.`,
  METHOD_NOT_ALLOWED: "Only POST is answered here.",
  UNSUPPORTED_MEDIA_TYPE: "Send the message with `Content-Type: application/json`.",
  BODY_TOO_LARGE: ({ maxBytes }: { maxBytes: number }) =>
    `The request body is larger than ${maxBytes} bytes. Send less at a time.`,
  BODY_UNREADABLE: "The request body is not valid JSON text.",
  TOO_MANY_STREAMS: "Too many event streams are open. Close some and try again.",
  INVALID_MESSAGE: "The message is not valid JSON-RPC 2.0.",
  INVALID_RESULT: ({ name }: { name: string }) =>
    `The tool ${JSON.stringify(name.slice(0, 100))} answered with something that is not a tool result.`,
  INPUT_UNAVAILABLE:
    "The call needs input from a person, and this client has no way to be asked. Use a client that supports it.",
  QUESTION_REFUSED: ({ problem }: { problem: string }) =>
    `A person should have been asked, but the question cannot be put: ${problem}. Nothing was done.`,
  REQUEST_STATE_REFUSED: ({ reason }: { reason: RefusedState }) =>
    `The request state cannot be used: ${refusedStates[reason]}. Send the request again without state and answers.`,
  SCHEMA_TOO_LARGE:
    "The tool's input schema is too much work to check arguments by; they were passed unchecked.",
  SERVER_CLOSED: "The server is closing. Send the request again when it is back.",
});
