import { isPosternError, type PosternError } from "@postern/errors";
import { poolErrors } from "../errors.js";
import { unshowable } from "./to-shown.js";

/** What only the owner may see of a failure: it stands in `cause`, which never leaves the process. */
interface OwnerDetail {
  readonly detail: string;
}

const maxDetailLength = 500;

/**
 * Builds the `cause` of an error from what a server wrote to its standard error.
 *
 * @returns The cause, or undefined when it wrote nothing.
 */
export function toStderrCause(stderr: string): OwnerDetail | undefined {
  const text = stderr
    // A terminal would obey these.
    .replace(/\p{Cc}\[[0-?]*[ -/]*[@-~]/gu, "")
    .trim()
    .slice(-maxDetailLength)
    .split(/\s*[\r\n]+\s*/)
    .join(" | ")
    .replace(unshowable, "?");
  return text === "" ? undefined : { detail: `It last wrote: ${JSON.stringify(text)}.` };
}

/** Builds the `cause` of an error from another package's error. */
function toErrorCause(error: PosternError): OwnerDetail {
  return { detail: error.message };
}

/** Says what is wrong in the words that the owner sees. */
export function toReason(error: PosternError): string {
  const { cause } = error;
  const detail = isOwnerDetail(cause) ? ` ${cause.detail}` : "";
  return error.message + detail;
}

function isOwnerDetail(cause: unknown): cause is OwnerDetail {
  return (
    typeof cause === "object" && cause !== null && typeof (cause as OwnerDetail).detail === "string"
  );
}

/** Turns whatever was thrown while a server was connected into an error of ours. */
export function toConnectError(server: string, error: unknown): PosternError {
  if (isPosternError(error, poolErrors)) return error;
  if (isPosternError(error))
    return poolErrors.CONNECT_FAILED(
      { server, reason: `it could not be started (${error.code})` },
      { cause: toErrorCause(error) },
    );
  return poolErrors.CONNECT_FAILED(
    { server, reason: "its configuration could not be completed" },
    { cause: error },
  );
}
