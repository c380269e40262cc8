import type { ChildProcess } from "node:child_process";
import { Socket, type SocketConstructorOpts, type TcpSocketConnectOpts } from "node:net";
import { Readable } from "node:stream";
import type { OutputPipes } from "./output-pipes.js";
import type { OwnedProcess, SpawnOptions } from "./owned-process.js";
import { createTailBuffer } from "./tail-buffer.js";

/** The output of a child, however it comes. */
export interface ChildOutput extends Pick<
  OwnedProcess,
  "stdout" | "stderrTail" | "outputEnded" | "dropOutput"
> {
  /** Lets an escaped process that still holds our pipes keep the host no longer. */
  readonly release: () => void;
}

const chunkBytes = 65_536;
let buffer: Buffer | undefined;

/** Reads a pipe; all pipes read into the same memory, which the system fills and we empty in one go. */
function readPipe(descriptor: number, push: (chunk: Uint8Array) => void): Socket {
  buffer ??= Buffer.allocUnsafeSlow(chunkBytes);
  // The types know `onread` only of connections; a socket takes it wherever it comes from.
  const options: SocketConstructorOpts & Pick<TcpSocketConnectOpts, "onread"> = {
    fd: descriptor,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback: (length, memory) => {
        push(memory.subarray(0, length));
        return true;
      },
    },
  };
  return new Socket(options);
}

function waitForClose(stream: Readable): Promise<void> {
  return new Promise((resolve) => stream.once("close", resolve));
}

/**
 * Takes charge of a child's output, in the turn that started it.
 *
 * @param child - The child.
 * @param pipes - Ours, if it writes to such.
 */
export function createOutput(
  child: ChildProcess,
  options: SpawnOptions,
  pipes: OutputPipes | undefined,
): ChildOutput {
  const { onOutput } = options;
  let isDropped = false;
  const push = (name: "stdout" | "stderr") => (chunk: Uint8Array) => {
    if (!isDropped) onOutput?.(name, chunk);
  };
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const tail = createTailBuffer(options.stderrBytes ?? chunkBytes);
  if (pipes !== undefined) {
    const [out, err] = pipes.readable;
    streams.push(readPipe(out, push("stdout")), readPipe(err, push("stderr")));
    for (const stream of streams) stream.resume();
  } else if (onOutput === undefined) {
    child.stderr?.on("data", (chunk: Uint8Array) => tail.push(chunk));
  } else {
    child.stdout?.on("data", push("stdout"));
    child.stderr?.on("data", push("stderr"));
  }
  // A pipe whose other end is gone is no failure of the host.
  for (const stream of streams) stream.on("error", () => undefined);
  const release = (): void => {
    for (const stream of streams) (stream as Socket).unref();
  };
  return {
    stdout: onOutput === undefined && child.stdout !== null ? child.stdout : Readable.from([]),
    stderrTail: () => tail.text(),
    outputEnded: Promise.all(streams.map(waitForClose)).then(() => undefined),
    dropOutput: () => {
      isDropped = true;
      for (const stream of streams) stream.resume();
      release();
    },
    release,
  };
}
