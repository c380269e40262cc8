import { bundledVariables } from "../bundled-server.js";

/** The variable whose value all processes of one command share, and nobody else has. */
export const commandMarker = "RUN_COMMAND_ID";

const ours: ReadonlySet<string> = new Set(bundledVariables);

/** Compared without regard to case: Windows does not tell them apart, and nobody else has use for them. */
function isOurs(name: string): boolean {
  const upper = name.toUpperCase();
  return upper.startsWith("POSTERN_") || ours.has(upper);
}

/** The system takes no others; one of them would make it refuse the whole command. */
function isPossible(name: string, value: string): boolean {
  return name !== "" && !name.includes("=", 1) && !`${name}${value}`.includes("\0");
}

/**
 * Makes the environment of a command: the server's, without the keys and settings that are meant for the server.
 * A command runs what a model wrote, so what it can print it can give away.
 *
 * @param environment - The server's.
 * @param id - The value of {@link commandMarker}.
 * @returns What the command gets, and nothing else.
 */
export function toCommandEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  id: string,
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !isOurs(entry[0]) && isPossible(entry[0], entry[1]),
  );
  return Object.fromEntries([...kept, [commandMarker, id]]);
}
