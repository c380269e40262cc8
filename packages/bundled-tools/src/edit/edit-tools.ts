import type { Tool } from "@postern/tool";
import type { Surroundings } from "../surroundings.js";
import { editFileTool } from "./edit-file.js";
import { createPathQueue } from "./path-queue.js";
import { writeFileTool } from "./write-file.js";

/** One for the process: tools that were made twice, for two callers, must wait for each other too. */
const queue = createPathQueue();

/**
 * Makes the tools that change files: `write_file` and `edit_file`. All of a process wait for each other on the same
 * file.
 *
 * @param surroundings - The containment, and for whom they work.
 * @returns The tools.
 */
export function editTools(surroundings: Surroundings): readonly Tool[] {
  const around = { ...surroundings, queue };
  return [writeFileTool(around), editFileTool(around)];
}
