import { isPosternError, type PosternError } from "@postern/errors";
import { toolErrors } from "@postern/tool";

/** The error member of a JSON-RPC response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  /** Our stable code and message, and the error's own small facts. */
  readonly data: Readonly<Record<string, unknown>>;
}

export const parseErrorCode = -32_700;
export const invalidRequestCode = -32_600;
const methodNotFoundCode = -32_601;
const invalidParamsCode = -32_602;
const internalErrorCode = -32_603;
export const missingCapabilityCode = -32_021;

const rpcCodes: Readonly<Record<string, number>> = {
  UNKNOWN_METHOD: methodNotFoundCode,
  UNKNOWN_PROMPT: invalidParamsCode,
  UNKNOWN_RESOURCE: invalidParamsCode,
  INVALID_ARGUMENTS: invalidParamsCode,
  REQUEST_STATE_REFUSED: invalidParamsCode,
};

/**
 * Turns a rejection into what a caller may see of it: our code and message, or a fixed text for any other error.
 *
 * @param error - What was thrown.
 * @returns The JSON-RPC error. Numbers: -32601, -32602 where they fit, else -32603.
 */
export function toRpcError(error: unknown): RpcError {
  const known: PosternError = isPosternError(error) ? error : toolErrors.INTERNAL_ERROR();
  return {
    code: rpcCodes[known.code] ?? findUpstreamCode(known) ?? internalErrorCode,
    message: known.message,
    data: known.toJSON(),
  };
}

/** Numbers that mean the same of a server behind us as of us; others would speak of our own protocol. */
const sharedCodes: ReadonlySet<unknown> = new Set([methodNotFoundCode, invalidParamsCode]);
const resourceNotFoundCode = -32_002;

/** A pool tells by `rpcCode` with which number the server behind it answered. */
function findUpstreamCode({ code, data }: PosternError): number | undefined {
  if (code !== "UPSTREAM_ERROR") return undefined;
  const { rpcCode } = data as { readonly rpcCode?: unknown };
  if (rpcCode === resourceNotFoundCode) return invalidParamsCode;
  return sharedCodes.has(rpcCode) ? (rpcCode as number) : undefined;
}
