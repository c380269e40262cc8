/** How much to read. */
export interface ReadFileOptions {
  /** A longer file is refused; default 64 MiB. */
  readonly maxBytes?: number;
}
export async function readTextFile(
  _path: string,
  _options: ReadFileOptions = {},
): Promise<string | undefined> {
  return undefined;
}
