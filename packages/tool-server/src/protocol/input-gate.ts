import { isJsonObject, type InputRequired, type JsonObject } from "@postern/tool";
import { serverErrors } from "../errors.js";
import { missingCapabilityCode, toRpcError, type RpcError } from "./rpc-error.js";

/** The client capability that each kind of embedded request needs. */
const neededCapabilities: Readonly<Record<string, string>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/**
 * Checks that the client can answer what it would be asked.
 *
 * @param outcome - The input that a call needs.
 * @param capabilities - What the client declared with this request.
 * @returns The error to answer with instead; undefined when the client can answer.
 * @see MCP 2026-07-28, multi round-trip requests; error -32021
 */
export function checkInputRequests(
  outcome: InputRequired,
  capabilities: unknown,
): RpcError | undefined {
  const { inputRequests, requestState } = outcome;
  const requests = isJsonObject(inputRequests) ? Object.values(inputRequests) : [];
  if (requests.length === 0 && typeof requestState !== "string")
    return toRpcError(serverErrors.INPUT_UNAVAILABLE());
  const declared = isJsonObject(capabilities) ? capabilities : {};
  for (const request of requests) {
    const missing = findMissingCapability(request, declared);
    if (missing === "unknown") return toRpcError(serverErrors.INPUT_UNAVAILABLE());
    if (missing !== undefined) {
      const { message, data } = toRpcError(serverErrors.INPUT_UNAVAILABLE());
      const requiredCapabilities = missing;
      return { code: missingCapabilityCode, message, data: { ...data, requiredCapabilities } };
    }
  }
  return undefined;
}

/**
 * Tells whether a client can show a form.
 *
 * @param capabilities - What it declared.
 * @returns True when it declared elicitation, by name of the form mode or as it was before there were modes.
 */
export function canElicit(capabilities: unknown): boolean {
  const declared = isJsonObject(capabilities) ? capabilities : {};
  return findMissingCapability({ method: "elicitation/create" }, declared) === undefined;
}

function findMissingCapability(
  request: unknown,
  declared: JsonObject,
): JsonObject | "unknown" | undefined {
  if (!isJsonObject(request) || typeof request["method"] !== "string") return "unknown";
  const needed = Object.hasOwn(neededCapabilities, request["method"])
    ? neededCapabilities[request["method"]]
    : undefined;
  if (needed === undefined) return "unknown";
  const capability = declared[needed];
  if (!isJsonObject(capability)) return { [needed]: {} };
  if (needed !== "elicitation") return undefined;
  const params = request["params"];
  const mode = isJsonObject(params) && params["mode"] === "url" ? "url" : "form";
  // An empty object is the form capability, as it was before there were modes.
  const has =
    isJsonObject(capability[mode]) || (mode === "form" && !isJsonObject(capability["url"]));
  return has ? undefined : { elicitation: { [mode]: {} } };
}
