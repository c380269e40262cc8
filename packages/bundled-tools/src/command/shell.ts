import type { SpawnOptions } from "@postern/processes";

/** How a shell is started with a command. */
export type ShellCall = Pick<SpawnOptions, "command" | "args" | "windowsVerbatimArguments">;

/** Makes the call of a shell for a command. */
export type ToShellCall = (command: string) => ShellCall;

/**
 * Finds the shell of a platform.
 *
 * @param platform - As Node names it.
 * @param environment - The server's.
 * @returns `/bin/sh`; on Windows what `ComSpec` names, which is `cmd.exe`.
 */
export function findShell(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): ToShellCall {
  // After "--" also a command that begins with a dash is no option of the shell.
  if (platform !== "win32")
    return (command) => ({ command: "/bin/sh", args: ["-c", "--", command] });
  const name = Object.keys(environment).find((key) => key.toUpperCase() === "COMSPEC");
  const shell = (name === undefined ? undefined : environment[name]) || "cmd.exe";
  // cmd takes away the outer quotes and reads the rest as it is; Node's quoting would change it.
  return (command) => ({
    command: shell,
    args: ["/d", "/s", "/c", `"${command}"`],
    windowsVerbatimArguments: true,
  });
}
