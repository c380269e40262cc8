import type { OwnedProcess } from "@postern/processes";

/** Output that comes within this time after the last belongs to the command that ended. */
const quietMs = 100;
/** A program in the background may never be quiet. */
const maxWaitMs = 1_000;

/**
 * Waits, once a process ended, for the rest of its output: until its streams ended; or, where a program in the
 * background still holds one, until nothing came for a tenth of a second, or one second is over.
 *
 * @param child - The process.
 * @param readBytes - How much came so far.
 */
export async function waitForQuiet(child: OwnedProcess, readBytes: () => number): Promise<void> {
  const from = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const isQuiet = new Promise<void>((resolve) => {
    let seenBytes = readBytes();
    let seenMs = from;
    const look = (): void => {
      const now = performance.now();
      if (readBytes() !== seenBytes) [seenBytes, seenMs] = [readBytes(), now];
      const isOver = now - seenMs >= quietMs || now - from >= maxWaitMs;
      if (isOver) resolve();
      else timer = setTimeout(look, quietMs / 4);
    };
    look();
  });
  await Promise.race([child.outputEnded, isQuiet]);
  clearTimeout(timer);
}
