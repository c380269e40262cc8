/** How much a caller may do: `full` is every tool, `read_only` only what is known to change nothing. */
export type AccessLevel = "full" | "read_only";

/**
 * Reads an access level.
 *
 * @param text - Untrusted text. It is neither trimmed nor lower-cased: `Full` and `read-only` are unknown.
 * @returns The level; undefined for anything else. Treat undefined as an error, never as `full`.
 */
export function parseAccessLevel(text: unknown): AccessLevel | undefined {
  return text === "full" || text === "read_only" ? text : undefined;
}
