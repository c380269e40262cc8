import type { Tool } from "@postern/tool";
import type { Surroundings } from "../surroundings.js";
import { editFileTool } from "./edit-file.js";
import { createPathQueue } from "./path-queue.js";
import { writeFileTool } from "./write-file.js";

/**
 * Makes the tools that change files: `write_file` and `edit_file`. Both wait for each other on the same file.
 *
 * @param surroundings - The containment, and for whom they work.
 * @returns The tools.
 */
export function editTools(surroundings: Surroundings): readonly Tool[] {
  const around = { ...surroundings, queue: createPathQueue() };
  return [writeFileTool(around), editFileTool(around)];
}
