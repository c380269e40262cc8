import type { Tool } from "@postern/tool";
import { runCommandTool } from "./command/run-command.js";
import { editTools } from "./edit/edit-tools.js";
import { listFilesTool } from "./files/list-files.js";
import { readFileTool } from "./files/read-file.js";
import { createRootFolder } from "./files/root-folder.js";
import {
  allowRootVariable,
  isRootUser,
  isYes,
  type ReadVariable,
  type RootUserGuard,
} from "./root-user.js";
import { createDefaultBackend } from "./search/default-backend.js";
import { findFilesTool } from "./search/find-files.js";
import { grepTool } from "./search/grep.js";
import type { SearchBackend } from "./search/search-backend.js";
import type { Surroundings } from "./surroundings.js";
import { searchPapersTool } from "./web/papers/search-papers.js";
import type { SearchProvider } from "./web/search/search-provider.js";
import { webSearchTool } from "./web/search/web-search.js";
import { webPageTools } from "./web/web-page-tools.js";

/** What the tools may use, and for whom they work. */
export interface BundledToolsOptions {
  /** The one folder that the tools may use; nothing outside it is read, listed or written. May be a link. */
  readonly root: string;
  /** Reads a variable of the environment, at every use. Default: none is set. */
  readonly env?: ReadVariable;
  /**
   * The environment that commands get, less what is meant for the server itself: its settings and its keys.
   * Default: nothing, so that the shell looks for programs in its own default places.
   */
  readonly environment?: () => Readonly<Record<string, string | undefined>>;
  /** Lets the tools work for the root user whatever the environment says. Default: false. */
  readonly allowRoot?: boolean;
  /** Whether the process acts as root. Default: asks the system for the effective user. */
  readonly isRoot?: () => boolean;
  /** What searches files. Default: ripgrep where its binary came along, else a walker of our own. */
  readonly searchBackend?: SearchBackend;
  /** Who is asked by `web_search`, in this order. Default: those that come with Postern. */
  readonly searchProviders?: readonly SearchProvider[];
}

/**
 * Makes the tools that work on single files: `list_files`, `read_file`, `write_file` and `edit_file`.
 *
 * @param options - The folder they may use, and for whom they work.
 * @returns The tools, for `toolSet`.
 */
export function fileTools(options: BundledToolsOptions): readonly Tool[] {
  const around = toSurroundings(options);
  return Object.freeze([listFilesTool(around), readFileTool(around), ...editTools(around)]);
}

/**
 * Makes the tools that search: `find_files` and `grep`.
 *
 * @param options - The folder they may use, and for whom they work.
 * @returns The tools, for `toolSet`.
 */
export function searchTools(options: BundledToolsOptions): readonly Tool[] {
  const backend = options.searchBackend ?? createDefaultBackend();
  const around = { ...toSurroundings(options), backend };
  return Object.freeze([findFilesTool(around), grepTool(around)]);
}

/**
 * Makes the tool that runs commands: `run_command`.
 *
 * @param options - Where commands start, and with which environment.
 * @returns The tools, for `toolSet`.
 */
export function commandTools(options: BundledToolsOptions): readonly Tool[] {
  const environment = options.environment ?? (() => ({}));
  return Object.freeze([runCommandTool({ ...toSurroundings(options), environment })]);
}

/**
 * Makes the tools of the web: `web_fetch`, `download_file`, `web_search` and `search_papers`.
 *
 * @param options - The folder that downloads go to, and where keys are read.
 * @returns The tools, for `toolSet`.
 */
export function webTools(options: BundledToolsOptions): readonly Tool[] {
  const around = toSurroundings(options);
  const { searchProviders } = options;
  const search = searchProviders === undefined ? around : { ...around, searchProviders };
  return Object.freeze([...webPageTools(around), webSearchTool(search), searchPapersTool(around)]);
}

/**
 * Makes all tools that come with Postern, each tagged `bundled`.
 *
 * @param options - The folder they may use, and for whom they work.
 * @returns The tools, for `toolSet`.
 */
export function bundledTools(options: BundledToolsOptions): readonly Tool[] {
  return Object.freeze([
    ...fileTools(options),
    ...searchTools(options),
    ...commandTools(options),
    ...webTools(options),
  ]);
}

function toSurroundings(options: BundledToolsOptions): Surroundings {
  return {
    root: createRootFolder(options.root),
    env: options.env ?? (() => undefined),
    guard: createRootUserGuard(options),
  };
}

/**
 * Makes the guard that the tools' options describe.
 *
 * @param options - As for `bundledTools`.
 * @returns The guard.
 */
export function createRootUserGuard(options: Omit<BundledToolsOptions, "root">): RootUserGuard {
  const { env, allowRoot = false, isRoot = isRootUser } = options;
  return { isRoot, allowRoot: () => allowRoot || isYes(env?.(allowRootVariable)) };
}
