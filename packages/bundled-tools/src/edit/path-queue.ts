import { normalize } from "node:path";

/** Work on the same file, one after the other. */
export interface PathQueue {
  /**
   * Does a piece of work after all earlier ones for the same file are done, well or not. Work on other files runs
   * beside it. Work on a path that is given twice is done in the order of the calls.
   *
   * @param path - The path as given.
   * @param file - Finds where it really lies, and does the work.
   * @returns What the work resolves to.
   */
  run<T>(path: string, file: FileWork<T>): Promise<T>;
}

/** Work on a file that may have several names. */
export interface FileWork<T> {
  /** Where it really lies. */
  findRealPath(): Promise<string>;
  work(): Promise<T>;
}

/** Makes an empty queue. */
export function createPathQueue(): PathQueue {
  const byGivenPath = createLine();
  const byRealPath = createLine();
  return {
    // What a path leads to takes a while to find out, and calls might overtake each other meanwhile.
    run: (path, { findRealPath, work }) =>
      byGivenPath(normalize(path), async () => byRealPath(await findRealPath(), work)),
  };
}

type Line = <T>(key: string, work: () => Promise<T>) => Promise<T>;

function createLine(): Line {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = (before ?? Promise.resolve()).then(work, work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
