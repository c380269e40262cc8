import { defineErrors } from "@postern/errors";

/** What connecting to servers and calling them can fail with. `server` is always the owner's name for it. */
export const poolErrors = defineErrors({
  CONNECT_FAILED: ({ server, reason }: { server: string; reason: string }) =>
    `The server "${server}" could not be connected: ${reason}.`,
  CONNECT_TIMEOUT: ({ server, timeoutMs }: { server: string; timeoutMs: number }) =>
    `The server "${server}" did not finish its handshake within ${timeoutMs} ms. Try again if it was still being downloaded, look at what it waits for, or raise its connect limit (connect_timeout, in seconds).`,
  CATALOG_FAILED: ({ server, reason }: { server: string; reason: string }) =>
    `The server "${server}" is connected, but its list could not be read: ${reason}.`,
  CATALOG_TIMEOUT: ({ server, timeoutMs }: { server: string; timeoutMs: number }) =>
    `The server "${server}" is connected, but did not list what it has within ${timeoutMs} ms. Raise its catalogue limit if it is only slow.`,
  CONNECTION_LOST: ({ server, reason }: { server: string; reason: string }) =>
    `The connection to the server "${server}" was lost: ${reason}. The next call connects again.`,
  MESSAGE_TOO_LARGE: ({ server, maxBytes }: { server: string; maxBytes: number }) =>
    `The server "${server}" sent one message of more than ${maxBytes} bytes, so its connection was ended. Ask it for less at a time; the next call connects again.`,
  TOOL_TIMEOUT: ({ tool, timeoutMs }: { server: string; tool: string; timeoutMs: number }) =>
    `The tool "${tool}" did not answer within ${timeoutMs} ms and was cancelled. The server may still be working on it.`,
  REQUEST_TIMEOUT: ({
    server,
    method,
    timeoutMs,
  }: {
    server: string;
    method: string;
    timeoutMs: number;
  }) =>
    `The server "${server}" did not answer ${method} within ${timeoutMs} ms, and it was cancelled.`,
  HTTP_ERROR: ({ server, status }: { server: string; status: number }) =>
    `The server "${server}" answered with HTTP ${status} instead of a result.`,
  CREDENTIAL_REFUSED: ({ server, status }: { server: string; status: number }) =>
    `The server "${server}" wants a sign-in, or refused the one it got (HTTP ${status}). Renew its credential.`,
  UPSTREAM_ERROR: ({ server }: { server: string; rpcCode: number; serverText: string }) =>
    `The server "${server}" answered with an error; what it says is in serverText.`,
  UPSTREAM_INVALID: ({ server }: { server: string }) =>
    `The server "${server}" answered with something that is not a result.`,
  CREDENTIAL_NEEDS_HTTPS: ({ server }: { server: string }) =>
    `The server "${server}" would get a credential over plain http. Use https, or a loopback address.`,
  INVALID_SERVER: ({ server, problem }: { server: string; problem: string }) =>
    `The server "${server}" is not configured well: ${problem}.`,
  SERVER_NAME_CLASH: ({ server, other }: { server: string; other: string }) =>
    `The prefix of the server "${server}" and that of "${other}" begin alike, so their tools could take each other's names. Rename one; until then neither is connected.`,
  STDIO_MISSING: ({ server }: { server: string }) =>
    `The server "${server}" is a command, and this pool cannot start commands. Give it stdioTransport of "@postern/client-pool/stdio".`,
  POOL_CLOSED: "The pool is closed. Connect a new one.",
});
