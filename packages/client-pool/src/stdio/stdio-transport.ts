import { spawnProcess, type OwnedProcess, type ProcessExit } from "@postern/processes";
import { poolErrors } from "../errors.js";
import type { StdioCloseReason, StdioContext, StdioTransport } from "../pool-options.js";
import type { JSONRPCMessage } from "../sdk.js";
import type { StdioTarget } from "../server-config.js";
import { createChildEnvironment } from "./base-environment.js";
import { LineReader } from "./line-reader.js";

/** How long output may still come after the process ended: a server that answers and exits is heard. */
const lastOutputMs = 200;

const sent = Promise.resolve();

/** Speaks to a child process, one JSON message a line. */
class ChildTransport implements StdioTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #target: StdioTarget;
  readonly #context: StdioContext;
  #process: OwnedProcess | undefined;
  #starting: Promise<OwnedProcess> | undefined;
  #closeReason: StdioCloseReason | undefined;
  #closing: Promise<void> | undefined;
  #ended = false;
  #noiseLines = 0;
  #outbox = "";
  /** Characters of answers since all that we sent was read. */
  #unreadAnswers = 0;
  readonly #flush = (): void => {
    const text = this.#outbox;
    this.#outbox = "";
    this.#process?.stdin.write(text);
  };

  constructor(target: StdioTarget, context: StdioContext) {
    this.#target = target;
    this.#context = context;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get noiseLines(): number {
    return this.#noiseLines;
  }

  stderrTail(): string {
    return this.#process?.stderrTail() ?? "";
  }

  closeReason(): StdioCloseReason | undefined {
    return this.#closeReason;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#target;
    this.#starting = spawnProcess({
      command,
      ...(args === undefined ? {} : { args }),
      env: createChildEnvironment(this.#context.baseEnv, env ?? {}, process.platform),
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#process = await this.#starting;
    if (!this.#ended) this.#listen(this.#process);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#process === undefined || this.#ended) {
      const { server } = this.#context;
      const reason = this.#closeReason?.text ?? "it was closed";
      return Promise.reject(poolErrors.CONNECTION_LOST({ server, reason }));
    }
    const text = `${JSON.stringify(message)}\n`;
    if (!("method" in message)) this.#countAnswer(text.length, this.#process);
    // What is sent in one turn goes out in one write: concurrent calls share its cost.
    if (this.#outbox === "") process.nextTick(this.#flush);
    this.#outbox += text;
    return sent;
  }

  /** A server that asks without end and reads no answer would fill our memory with them. */
  #countAnswer(length: number, { stdin }: OwnedProcess): void {
    if (this.#outbox === "" && stdin.writableLength === 0) this.#unreadAnswers = 0;
    this.#unreadAnswers += length;
    if (this.#unreadAnswers > this.#context.maxMessageBytes)
      this.#fail({ kind: "not_reading", text: "it asked on and on and read no answer" });
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  async #stop(): Promise<void> {
    this.#end();
    // Closed while it was being started, the process would otherwise be left to itself.
    const child = await this.#starting?.catch(() => undefined);
    const { closeGraceMs } = this.#context;
    await child?.stop(closeGraceMs === undefined ? {} : { eofGraceMs: closeGraceMs });
  }

  #listen(child: OwnedProcess): void {
    const { maxMessageBytes } = this.#context;
    const reader = new LineReader({
      maxBytes: maxMessageBytes,
      onLine: (line) => this.#receive(line),
      onOverflow: () =>
        this.#fail({
          kind: "too_large",
          text: `it sent more than ${maxMessageBytes} bytes at once`,
        }),
    });
    child.stdin.on("error", () => undefined);
    child.stdout.on("error", () => undefined);
    child.stdout.on("data", (chunk: Buffer) => reader.push(chunk));
    const outputEnded = new Promise<void>((resolve) => child.stdout.once("close", resolve));
    void outputEnded.then(() => this.#afterOutput(child));
    void child.exited.then((exit) => this.#afterExit(exit, outputEnded));
  }

  async #afterOutput(child: OwnedProcess): Promise<void> {
    // Mostly the process is ending as well, and its exit says more.
    const exited = child.exited.then(() => true);
    if (await Promise.race([exited, pause(lastOutputMs).then(() => false)])) return;
    this.#fail({ kind: "output_closed", text: "it closed its standard output" });
  }

  async #afterExit({ code, signal }: ProcessExit, outputEnded: Promise<void>): Promise<void> {
    const text = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
    // A grandchild may hold the output open for ever.
    await Promise.race([outputEnded, pause(lastOutputMs)]);
    this.#fail({ kind: "exited", text });
  }

  /** The connection is over, and not because we closed it. */
  #fail(reason: StdioCloseReason): void {
    if (this.#ended) return;
    this.#closeReason = reason;
    this.#end();
    void this.close().catch((error: unknown) => this.onerror?.(error as Error));
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.onclose?.();
  }

  #receive(line: string): void {
    if (this.#ended || line === "" || line === "\r") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#noiseLines += 1;
      return;
    }
    // The revision 2025-03-26 may answer in batches.
    if (Array.isArray(value)) for (const message of value) this.#deliver(message);
    else this.#deliver(value);
  }

  #deliver(value: unknown): void {
    if (isMessage(value)) this.onmessage?.(value);
    else this.#noiseLines += 1;
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== "object" || value === null) return false;
  const { jsonrpc, id, method, result, error } = value as Readonly<Record<string, unknown>>;
  if (jsonrpc !== "2.0") return false;
  if (typeof method === "string") return true;
  return (
    (typeof id === "number" || typeof id === "string") &&
    (result !== undefined) !== (error !== undefined)
  );
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, durationMs).unref();
  });
}

/**
 * Prepares the connection to a command: give it to `connectServers` as `stdio`. The process gets the safe base of
 * `baseEnv` (`HOME`, `LANG`, `PATH`, `TMPDIR`, …; on Windows also `COMSPEC`, `PATHEXT`, `SYSTEMROOT`, …) and the
 * configured variables, nothing else. Closing ends its whole process tree; so does the death of this process.
 *
 * @param target - The command.
 * @param context - The environment to take the base from, and the longest message.
 * @returns The connection, not started.
 */
export function stdioTransport(target: StdioTarget, context: StdioContext): StdioTransport {
  return new ChildTransport(target, context);
}
