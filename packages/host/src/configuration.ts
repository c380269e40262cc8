import { mergeConfigs, narrowUntrusted } from "@postern/config";
import type { McpConfig, Parsed, PosternConfig, Problem } from "@postern/config";
import {
  findProjectFile,
  readMcpFile,
  readPosternFile,
  readSettings,
  readTrust,
} from "@postern/config/files";
import { hostErrors } from "./errors.js";

/** All that the files say, the project's word already narrowed to what it may say. */
export interface Configuration {
  /** The owner's settings and the project's, as one. */
  readonly config: PosternConfig;
  /** The owner's servers. */
  readonly mcp: McpConfig;
  /** Warnings of every file. */
  readonly warnings: readonly Problem[];
  /** What the owner should know about the project's file. */
  readonly notices: readonly string[];
}

/**
 * Reads the owner's files and the project's. A file that cannot be read as a whole stops everything: it may be the
 * one that narrows.
 *
 * @param home - The owner's folder.
 * @param project - The project folder.
 * @returns What they say together.
 * @throws {PosternError} `INVALID_CONFIGURATION` with every problem found.
 */
export async function readConfiguration(home: string, project: string): Promise<Configuration> {
  const [settings, mcp, projectFile] = await Promise.all([
    readSettings(home),
    readMcpFile(home),
    findProjectFile(project),
  ]);
  const found = projectFile === undefined ? undefined : await readPosternFile(projectFile);
  const parsed: readonly Parsed<unknown>[] =
    found === undefined ? [settings, mcp] : [settings, mcp, found.parsed];
  const problems = parsed.flatMap((result) => (result.ok ? [] : result.problems));
  if (!settings.ok || !mcp.ok || (found !== undefined && !found.parsed.ok))
    throw hostErrors.INVALID_CONFIGURATION({ problems: problems.map(toLine) });
  const warnings = parsed.flatMap((result) => (result.ok ? result.warnings : []));
  const base = { mcp: mcp.value, warnings };
  if (found === undefined || !found.parsed.ok)
    return { ...base, config: settings.value, notices: [] };
  // The digest is that of the bytes that were parsed: a file swapped in between cannot borrow another's trust.
  const trust = await readTrust(home, found.path, found.sha256);
  if (trust === "trusted")
    return { ...base, config: mergeConfigs(settings.value, found.parsed.value), notices: [] };
  const { config, widened } = narrowUntrusted(found.parsed.value, settings.value);
  const notices = widened.length === 0 ? [] : [toNotice(found.path, trust, widened.length)];
  return { ...base, config, notices };
}

function toNotice(path: string, trust: string, count: number): string {
  const state = trust === "changed" ? "has changed since you trusted it" : "is not trusted";
  return `${path} ${state}: it only narrows, and ${count} of its settings ${count === 1 ? "does" : "do"} not count. Run \`postern trust\` to see them.`;
}

/**
 * Writes a problem as one line for people.
 *
 * @param problem - The problem.
 * @returns `file:line:column message`; the place is left out where no file holds the value.
 */
export function toLine(problem: Problem): string {
  const { file, line, column, message } = problem;
  if (file === "") return message;
  return line === 0 ? `${file} ${message}` : `${file}:${line}:${column} ${message}`;
}
