/** How long to wait for a lock. */
export interface FileLockOptions {
  /** How long to wait for another holder; default 10,000. */
  readonly timeoutMs?: number;
  /** Gives up waiting. */
  readonly signal?: AbortSignal;
}
export async function withFileLock<T>(
  _path: string,
  work: () => Promise<T>,
  _options: FileLockOptions = {},
): Promise<T> {
  return work();
}
