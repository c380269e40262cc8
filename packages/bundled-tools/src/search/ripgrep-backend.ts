import { spawn } from "node:child_process";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { searchErrors } from "./errors.js";
import { createPacer } from "../pacer.js";
import { createLineMatcher } from "./line-matcher.js";
import { findRipgrep } from "./ripgrep-binary.js";
import { createRipgrepOutput, toPath } from "./ripgrep-output.js";
import {
  comparePaths,
  maxFileBytes,
  skippedFolders,
  type ContentRequest,
  type FileMatches,
  type SearchBackend,
  type SearchRequest,
} from "./search-backend.js";

/** Whether the binary of ripgrep came with the package of this platform. */
export function isRipgrepPresent(): boolean {
  return findRipgrep() !== undefined;
}

/**
 * Makes the backend that runs ripgrep: the binary of our own dependency, never one from PATH. Where none came along,
 * its searches fail and say so.
 *
 * @param binary - Another binary, for tests.
 * @returns The backend.
 */
export function createRipgrepBackend(binary = findRipgrep()): SearchBackend {
  return {
    name: "ripgrep",
    async findMatches(request) {
      const output = createRipgrepOutput(request.maxLinesPerFile);
      const args = [...toContentArguments(request), ...toScope(request)];
      const unreadable = await runRipgrep(binary, { args, request }, (chunk) => output.push(chunk));
      const wanted = output.finish().filter(({ path }) => request.accepts(path));
      return { items: await toSearchable(wanted, request), filesScanned: null, unreadable };
    },
    async findFiles(request) {
      const chunks: Buffer[] = [];
      const args = ["--files", "--null", ...toScope(request)];
      const unreadable = await runRipgrep(binary, { args, request }, (chunk) => chunks.push(chunk));
      const names = Buffer.concat(chunks).toString("utf8").split("\0").slice(0, -1);
      const items = names
        .map((name) => toPath(Buffer.from(name)))
        .filter((path) => request.accepts(path));
      return { items, filesScanned: null, unreadable };
    },
  };
}

/**
 * Leaves out files that are too large. ripgrep would do that too, but ask the system for the size of every file first,
 * which takes a good part of the whole search.
 */
async function toSearchable(
  items: readonly FileMatches[],
  { directory, signal }: ContentRequest,
): Promise<readonly FileMatches[]> {
  const pacer = createPacer(signal);
  const kept: FileMatches[] = [];
  for (const item of items) {
    const stats = lstatSync(join(directory, item.path), { throwIfNoEntry: false });
    // A file that is gone or a link by now is none of those that were asked for.
    if (stats?.isFile() === true && stats.size <= maxFileBytes) kept.push(item);
    if (pacer.isDue()) await pacer.pause();
  }
  return kept;
}

function toContentArguments({ pattern, caseSensitive }: ContentRequest): readonly string[] {
  const { ripgrep } = createLineMatcher(pattern, caseSensitive);
  return [
    "--null",
    "--with-filename",
    "--line-number",
    "--no-heading",
    "--color=never",
    // Only the number is of use: the line is read again where it is shown, and may be a megabyte long.
    "--max-columns=1",
    "--crlf",
    "--regex-size-limit=256M",
    `--regexp=${ripgrep}`,
  ];
}

/** What both searches have in common: what is looked at. */
function toScope({ includeIgnored, file }: SearchRequest): readonly string[] {
  const ignore = includeIgnored ? ["--no-ignore"] : ["--no-ignore-dot", "--no-ignore-global"];
  return [
    // No file of the user's may change what is found.
    "--no-config",
    "--hidden",
    // Rules that cannot be read are none, as they are for git.
    "--no-ignore-messages",
    ...ignore,
    ...skippedFolders.flatMap((name) => ["--glob", `!${name}/`]),
    "--",
    file === undefined ? "./" : `./${file}`,
  ];
}

interface Run {
  readonly args: readonly string[];
  readonly request: SearchRequest;
}

const maxErrorBytes = 64 * 1024;

/** Runs it to its end; resolves to the directories that it could not read. */
async function runRipgrep(
  binary: string | undefined,
  { args, request }: Run,
  take: (chunk: Buffer) => void,
): Promise<readonly string[]> {
  if (binary === undefined)
    throw searchErrors.SEARCH_FAILED({ reason: "no ripgrep was installed for this platform" });
  const { directory, signal } = request;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(binary, [...args], {
      cwd: directory,
      // Nothing of the server's environment: it may hold keys.
      env: {},
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    const stop = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", stop, { once: true });
    child.stdout.on("data", take);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (errors.length < maxErrorBytes) errors += text;
    });
    child.on("error", (cause) =>
      reject(searchErrors.SEARCH_FAILED({ reason: "ripgrep does not start" }, { cause })),
    );
    child.on("close", (code) => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason as Error);
      else settle({ code, errors }, { resolve, reject });
    });
  });
}

interface Settle {
  readonly resolve: (unreadable: readonly string[]) => void;
  readonly reject: (error: Error) => void;
}

function settle(
  { code, errors }: { readonly code: number | null; readonly errors: string },
  { resolve, reject }: Settle,
): void {
  // The last line may be cut off.
  const whole = errors.length < maxErrorBytes ? errors : errors.slice(0, errors.lastIndexOf("\n"));
  const lines = whole.split("\n").filter((line) => line !== "");
  const places = lines.map((line) => /^rg: (?:\.\/)?(.*): .* \(os error \d+\)$/.exec(line)?.[1]);
  const known = places.filter((place) => place !== undefined);
  if (
    code === 0 ||
    code === 1 ||
    (code === 2 && known.length > 0 && known.length === places.length)
  )
    resolve(known.toSorted(comparePaths));
  else if (/regex parse error|error: /.test(errors))
    reject(searchErrors.INVALID_PATTERN({ reason: toReason(lines) }));
  else reject(searchErrors.SEARCH_FAILED({ reason: toReason(lines) || `exit code ${code}` }));
}

function toReason(lines: readonly string[]): string {
  const said = lines.findLast((line) => line.startsWith("error: "))?.slice(7) ?? lines[0] ?? "";
  return said.replace(/^rg: /, "").slice(0, 200);
}
