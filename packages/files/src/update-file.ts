/** How to change a file. */
export interface UpdateFileOptions {
  /** The mode of a new file; default 0o600. See `writeFileAtomic` for an existing one. */
  readonly mode?: number;
  /** Waits for the disk before it resolves; default true. */
  readonly durable?: boolean;
  /** How long to wait for the lock; default 10,000. */
  readonly timeoutMs?: number;
  /** Gives up waiting for the lock. */
  readonly signal?: AbortSignal;
}
export async function updateFile(
  _path: string,
  _change: (text: string | undefined) => string | undefined | Promise<string | undefined>,
  _options: UpdateFileOptions = {},
): Promise<void> {}
