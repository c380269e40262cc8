/** How to write a file. */
export interface WriteFileOptions {
  /** The mode of a new file, within the umask; default 0o600. An existing file keeps its own, less what `mode` leaves out. */
  readonly mode?: number;
  /** Waits until file and folder are on the disk; default true. */
  readonly durable?: boolean;
}
export async function writeFileAtomic(
  _path: string,
  _data: string | Uint8Array,
  _options: WriteFileOptions = {},
): Promise<void> {}
