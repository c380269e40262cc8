/** Work on the same file, one after the other. */
export interface PathQueue {
  /**
   * Does a piece of work after all earlier ones for the same path are done, well or not. Others run beside it.
   *
   * @param path - The real path.
   * @param work - The work.
   * @returns What the work resolves to.
   */
  run<T>(path: string, work: () => Promise<T>): Promise<T>;
}

/** Makes an empty queue. */
export function createPathQueue(): PathQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(path, work) {
      const before = last.get(path);
      const mine = (before ?? Promise.resolve()).then(work, work);
      const settled = mine.then(
        () => undefined,
        () => undefined,
      );
      last.set(path, settled);
      try {
        return await mine;
      } finally {
        if (last.get(path) === settled) last.delete(path);
      }
    },
  };
}
