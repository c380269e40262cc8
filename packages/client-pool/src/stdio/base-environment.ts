/** What programs need to find themselves, their user, their language and their temporary folder. No secrets live here. */
const posixNames = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
];

const windowsNames = [
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LANG",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
];

/**
 * Builds the whole environment of a child: the safe base, and over it exactly what was configured.
 *
 * @param baseEnv - Our own environment.
 * @param env - The configured variables.
 * @param platform - As `process.platform`; on Windows names are compared without case.
 * @returns The environment.
 */
export function createChildEnvironment(
  baseEnv: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string>>,
  platform: string,
): Readonly<Record<string, string>> {
  const windows = platform === "win32";
  const toKey = (name: string): string => (windows ? name.toUpperCase() : name);
  const safe = new Set(windows ? windowsNames : posixNames);
  const configured = new Set(Object.keys(env).map(toKey));
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(baseEnv)) {
    if (value === undefined || !safe.has(toKey(name)) || configured.has(toKey(name))) continue;
    // An exported shell function would be run by a child shell.
    if (!value.startsWith("()")) child[name] = value;
  }
  return { ...child, ...env };
}
