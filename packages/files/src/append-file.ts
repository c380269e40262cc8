/** How to open a file for appending. */
export interface AppendFileOptions {
  /** Whether each line waits for the disk; default false: the operating system has it, which survives our death but not a power cut. */
  readonly durable?: boolean;
  /** The mode of a new file, within the umask; default 0o600. */
  readonly mode?: number;
}

/** How to append one line. */
export interface AppendOptions {
  /** Whether this line waits for the disk; default: as the file was opened. */
  readonly durable?: boolean;
}

/** A file of lines that only grows. */
export interface AppendFile extends AsyncDisposable {
  readonly path: string;
  append(line: string, options?: AppendOptions): Promise<void>;
  close(): Promise<void>;
}
export async function openAppendFile(
  _path: string,
  _options: AppendFileOptions = {},
): Promise<AppendFile> {
  return undefined as never;
}
