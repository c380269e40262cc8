/** Reads one variable of the environment; called again for every use, so a change takes effect at once. */
export type ReadVariable = (name: string) => string | undefined;

/** The variable that lets the tools work for the root user. */
export const allowRootVariable = "POSTERN_ALLOW_ROOT_TOOLS";

const yes: ReadonlySet<string> = new Set(["1", "true", "yes", "on"]);

/**
 * Tells whether a variable's text means yes: `1`, `true`, `yes` or `on`, in any letter case, blanks around it ignored.
 *
 * @param text - The text; undefined means no.
 * @returns True for yes.
 */
export function isYes(text: string | undefined): boolean {
  return yes.has((text ?? "").trim().toLowerCase());
}

/** Tells whether this process acts as the root user. Windows has none. */
export function isRootUser(): boolean {
  return process.geteuid?.() === 0;
}

/** How the root user is recognised and let through. */
export interface RootUserGuard {
  /** Whether the process acts as root. */
  readonly isRoot: () => boolean;
  /** Whether that is allowed. */
  readonly allowRoot: () => boolean;
}

/**
 * Finds what must be said once when a server starts as root.
 *
 * @param guard - How root is recognised and let through.
 * @returns One line for the log; undefined for any other user.
 */
export function findRootWarning({ isRoot, allowRoot }: RootUserGuard): string | undefined {
  if (!isRoot()) return undefined;
  return allowRoot()
    ? `Warning: the tools run as root with all its rights, because ${allowRootVariable} is set.`
    : `Warning: started as root, so every tool will refuse. Start as another user, or set ${allowRootVariable}=1.`;
}
