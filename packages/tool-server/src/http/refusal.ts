import type { PosternError } from "@postern/errors";
import { invalidRequestCode, parseErrorCode, toRpcError } from "../protocol/rpc-error.js";
import { jsonHeaders, type AnswerHeaders, type Exchange } from "./exchange.js";

/** A request that is not served, and how that is said. */
export interface Refusal {
  readonly status: number;
  readonly error: PosternError;
  readonly headers?: AnswerHeaders;
}

/** HTTP refusals have no JSON-RPC number of their own; -32600 is "not a valid request". */
const rpcCodes: Readonly<Record<string, number>> = {
  BODY_UNREADABLE: parseErrorCode,
};

/**
 * Answers with a JSON-RPC error, without an id, since none was read.
 *
 * @param exchange - The exchange.
 * @param refusal - Status and error.
 */
export function writeRefusal(exchange: Exchange, refusal: Refusal): void {
  const { status, error, headers } = refusal;
  const { code, message, data } = toRpcError(error);
  const number = rpcCodes[error.code] ?? (status < 500 ? invalidRequestCode : code);
  const body = { jsonrpc: "2.0", error: { code: number, message, data }, id: null };
  exchange.answer(status, JSON.stringify(body), { ...jsonHeaders, ...headers });
}
