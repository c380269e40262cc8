/** One level of a glob for paths: any number of levels, or a name. */
export type Level = "any" | ((name: string) => boolean);

/**
 * Tells whether names, level by level, fit. It keeps which levels may come next, so that no pattern makes it try
 * again.
 */
export function matchesLevels(levels: readonly Level[], names: readonly string[]): boolean {
  let open = toOpen(levels, new Set([0]));
  for (const name of names) {
    const next = new Set<number>();
    for (const at of open) {
      const level = levels[at];
      if (level === "any") next.add(at);
      else if (level?.(name) === true) next.add(at + 1);
    }
    if (next.size === 0) return false;
    open = toOpen(levels, next);
  }
  return open.has(levels.length);
}

/** Any number of levels may also be none. */
function toOpen(levels: readonly Level[], reached: ReadonlySet<number>): ReadonlySet<number> {
  const open = new Set(reached);
  for (const at of open) if (levels[at] === "any") open.add(at + 1);
  return open;
}
