import type { Tool } from "@postern/tool";
import { createRootFolder } from "./files/root-folder.js";
import { listFilesTool } from "./files/list-files.js";
import { readFileTool } from "./files/read-file.js";
import { withoutNullArguments } from "./null-arguments.js";
import {
  allowRootVariable,
  isRootUser,
  isYes,
  withRootUserGuard,
  type ReadVariable,
  type RootUserGuard,
} from "./root-user.js";

/** What the tools may use, and for whom they work. */
export interface BundledToolsOptions {
  /** The folder that the file tools may use; nothing outside it is read or listed. May be a link. */
  readonly root: string;
  /** Reads a variable of the environment, at every use. Default: none is set. */
  readonly env?: ReadVariable;
  /** Lets the tools work for the root user whatever the environment says. Default: false. */
  readonly allowRoot?: boolean;
  /** Whether the process acts as root. Default: asks the system for the effective user. */
  readonly isRoot?: () => boolean;
}

/**
 * Makes the tools that list and read files: `list_files` and `read_file`.
 *
 * @param options - The folder they may use, and for whom they work.
 * @returns The tools, for `toolSet`.
 */
export function fileTools(options: BundledToolsOptions): readonly Tool[] {
  const root = createRootFolder(options.root);
  return Object.freeze([listFilesTool(root), readFileTool(root)].map(withGuards(options)));
}

/**
 * Makes all tools that come with Postern, each tagged `bundled`.
 *
 * @param options - The folder they may use, and for whom they work.
 * @returns The tools, for `toolSet`.
 */
export function bundledTools(options: BundledToolsOptions): readonly Tool[] {
  return fileTools(options);
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

/** What holds for every bundled tool: root is refused, and a null that means nothing is left out. */
function withGuards(options: BundledToolsOptions): (tool: Tool) => Tool {
  const guard = createRootUserGuard(options);
  return (tool) => {
    const schema = tool.listing.raw["inputSchema"];
    const tolerant: Tool = {
      listing: tool.listing,
      run: (args, context) => tool.run(withoutNullArguments(args, schema), context),
    };
    return withRootUserGuard(tolerant, guard);
  };
}
