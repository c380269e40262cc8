import type { Tool } from "@postern/tool";
import { downloadFileTool, type DownloadSurroundings } from "./download/download-file.js";
import { webFetchTool } from "./page/web-fetch.js";

/**
 * Makes the tools that fetch what a URL names: `web_fetch` and `download_file`.
 *
 * @param around - The containment, for whom they work, and the environment.
 * @returns The tools, for `toolSet`.
 */
export function webPageTools(around: DownloadSurroundings): readonly Tool[] {
  return Object.freeze([webFetchTool(around), downloadFileTool(around)]);
}
