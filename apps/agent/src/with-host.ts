import { openHost, type Host, type HostOptions } from "@postern/host";
import type { AccessLevel } from "@postern/policy";
import { toProblemText } from "./problem-text.js";
import type { Session } from "./session.js";

/** The flags that narrow what a run sees. */
export interface ViewFlags {
  readonly level?: AccessLevel;
  readonly domain?: string;
  readonly includeTags?: readonly string[];
  readonly excludeTags?: readonly string[];
  /** Whether calls are judged by rules. */
  readonly guard?: "off" | "observe" | "enforce";
  /** Whether untrusted text is followed into later calls. */
  readonly taint?: boolean;
}

/** What a command adds to the view flags. */
export type HostNeeds = Pick<
  HostOptions,
  "onlyFor" | "onlyServers" | "callTimeoutMs" | "closeGraceMs"
>;

/** What the host is told; a command's other flags are its own. */
const hostKeys = [
  "level",
  "domain",
  "includeTags",
  "excludeTags",
  "guard",
  "taint",
  "onlyFor",
  "onlyServers",
  "callTimeoutMs",
  "closeGraceMs",
] as const satisfies readonly (keyof (ViewFlags & HostNeeds))[];

/** How long an interrupted start may take to end by itself; then the process ends, and its servers with it. */
const startLimitMs = 2_000;

/**
 * Opens the host, tells the owner what is wrong with the configuration, does the work and closes it again, also when
 * the owner interrupts.
 *
 * @param session - The run. @param options - View flags and needs of the command.
 * @param work - What to do with the host.
 * @returns What the work returned.
 * @throws What the work throws, and `INTERRUPTED` or `TERMINATED`.
 */
export async function withHost<T>(
  session: Session,
  options: ViewFlags & HostNeeds,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  const { home, project, env, signal } = session;
  const given = hostKeys.flatMap((key) =>
    options[key] === undefined ? [] : [[key, options[key]] as const],
  );
  const opening = openHost({ ...Object.fromEntries(given), home, project, env });
  const host = await untilAborted(opening, signal).catch(async (error: unknown) => {
    if (signal.aborted) await closeWithin(opening, startLimitMs);
    throw error;
  });
  try {
    reportConfiguration(host, session);
    return await untilAborted(work(host), signal);
  } finally {
    await host.close();
  }
}

/** Names on stderr what is not as the owner wrote it. */
function reportConfiguration(host: Host, { printer }: Session): void {
  for (const problem of host.problems) printer.note(toProblemText(problem));
  for (const notice of host.notices) printer.note(notice);
}

/**
 * Waits for work, or for the owner to interrupt it.
 *
 * @param work - The work; it is not stopped, only no longer waited for.
 * @param signal - Its reason is what an abort rejects with.
 * @returns What the work resolves to.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let listener: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    listener = () => reject(signal.reason as Error);
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (listener !== undefined) signal.removeEventListener("abort", listener);
  }
}

async function closeWithin(opening: Promise<Host>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([opening.then((host) => host.close()).catch(() => undefined), limit]);
  clearTimeout(timer);
}
