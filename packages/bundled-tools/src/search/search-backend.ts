/** What is looked for in which files. */
export interface SearchRequest {
  /** The real path of the directory to search. */
  readonly directory: string;
  /** Only this entry of the directory; every file below it otherwise. */
  readonly file?: string;
  /** Whether a file is wanted, by its path below the directory, with `/`. */
  readonly accepts: (path: string) => boolean;
  /** Also what `.gitignore` leaves out. */
  readonly includeIgnored: boolean;
  /** Ends the search; it then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** A search in the content of files. */
export interface ContentRequest extends SearchRequest {
  /** A regular expression in RE2 syntax, already known to be one. */
  readonly pattern: string;
  /** Whether upper and lower case differ. */
  readonly caseSensitive: boolean;
  /** So many line numbers of one file are of use; the rest is only counted. */
  readonly maxLinesPerFile: number;
}

/** The lines of one file that match. */
export interface FileMatches {
  /** Below the directory, with `/`. */
  readonly path: string;
  /** Ascending, from 1; at most as many as are of use. */
  readonly lines: readonly number[];
  /** How many there are. */
  readonly count: number;
}

/** What a search found. */
export interface Found<Item> {
  /** In no particular order. */
  readonly items: readonly Item[];
  /** Files whose content was looked at; null when that is not known. */
  readonly filesScanned: number | null;
  /** Directories that could not be looked into. */
  readonly unreadable: readonly string[];
}

/**
 * What finds files and lines. Two of them answer alike: hidden files are searched, links are not followed, folders of
 * tools (`.git`, `node_modules`, …) are left out below the directory, `.gitignore` counts inside a git repository, and
 * files with a NUL byte or of more than 100 MiB are left out.
 */
export interface SearchBackend {
  /** For tests and logs. */
  readonly name: string;
  /** @throws {PosternError} `INVALID_PATTERN`, `SEARCH_FAILED`; the signal's reason when it is aborted. */
  findMatches(request: ContentRequest): Promise<Found<FileMatches>>;
  /** Lists files. @throws As for `findMatches`. */
  findFiles(request: SearchRequest): Promise<Found<string>>;
}

/** Larger files are not searched. */
export const maxFileBytes = 100 * 1024 * 1024;

/** Folders of version control and of tools, which hold copies of everything and answers to nothing. */
export const skippedFolders: readonly string[] = Object.freeze([
  ".git",
  ".hg",
  ".svn",
  ".tox",
  ".nox",
  ".venv",
  "venv",
  ".mypy_cache",
  ".ruff_cache",
  ".pytest_cache",
  ".postern-cache",
  "__pycache__",
  "node_modules",
]);

/** Orders paths by their names, one level after the other, so that a folder's files stand together. */
export function comparePaths(left: string, right: string): number {
  const a = left.replaceAll("/", "\0");
  const b = right.replaceAll("/", "\0");
  return a < b ? -1 : a > b ? 1 : 0;
}
