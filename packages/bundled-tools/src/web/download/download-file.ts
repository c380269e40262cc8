import { createHash } from "node:crypto";
import { isPosternError } from "@postern/errors";
import type { SafeResponse } from "@postern/safe-fetch";
import type { Tool } from "@postern/tool";
import { z } from "zod";
import { defineBundledTool, toFailed } from "../../define-bundled-tool.js";
import { bundledErrors } from "../../errors.js";
import { openForWriting, type Draft } from "../../files/write-place.js";
import type { RootFolder } from "../../files/root-folder.js";
import { webErrors } from "../errors.js";
import { createOpenUrl, type OpenUrl } from "../open-url.js";
import type { WebSurroundings } from "../surroundings.js";

/** The largest file that is saved. */
const defaultMaxBytes = 100 * 1024 * 1024;

const description = `Downloads a file of the web into the project, byte by byte as it is there.

Use this tool to save a file whose address is known. Use when a data set, an image, an archive or a PDF is needed as a file. Do not use for reading a page (use the web fetch tool).

Only http and https on the public internet, at most 100 MiB. A file that is there already is replaced, and only when the new one is complete; missing folders are made. \`sha256\` is the SHA-256 of what was saved.

Example: {"url": "https://example.org/data.csv", "file_path": "data/data.csv"}`;

const input = z.strictObject({
  url: z.string().min(1).describe("The address, with http:// or https://."),
  file_path: z.string().min(1).describe("The file to write, relative to the project."),
  timeout: z.number().min(1).max(600).default(120).describe("Seconds for everything together."),
});

type Input = z.output<typeof input>;

const output = z.strictObject({
  saved_to: z.string().describe("The file, as file_path named it; empty when nothing was saved."),
  bytes: z.int(),
  sha256: z.string().describe("In hexadecimal."),
  content_type: z.string(),
  final_url: z.string().describe("Where it came from in the end."),
  redirects: z.array(z.string()).describe("The addresses that led on, in order."),
  status_code: z.int().nullable(),
});

type Fields = z.input<typeof output>;

const empty: Fields = {
  saved_to: "",
  bytes: 0,
  sha256: "",
  content_type: "",
  final_url: "",
  redirects: [],
  status_code: null,
};

/** What `download_file` needs. */
export interface DownloadSurroundings extends WebSurroundings {
  /** Most bytes of a file. Default: 100 MiB. */
  readonly maxDownloadBytes?: number;
}

/**
 * Makes the tool `download_file`.
 *
 * @param around - The containment, for whom it works, and the environment.
 * @returns The tool.
 */
export function downloadFileTool(around: DownloadSurroundings): Tool {
  const openUrl = createOpenUrl(around);
  const { root, guard, maxDownloadBytes = defaultMaxBytes } = around;
  return defineBundledTool(
    {
      name: "download_file",
      title: "Download a file",
      description,
      input,
      output,
      empty,
      tags: ["web", "download"],
      checkpaths: ["file_path"],
      annotations: { destructiveHint: true, openWorldHint: true },
      async run(request, { signal }) {
        try {
          await assertWritable(root, request.file_path);
          const response = await openDownload(openUrl, request, { maxDownloadBytes, signal });
          return await saveResponse(root, request, response);
        } catch (error) {
          const known = toDownloadError(error, request, maxDownloadBytes);
          const { status } = known.data as { readonly status?: unknown };
          return toFailed(known, {
            ...empty,
            status_code: typeof status === "number" ? status : null,
          });
        }
      },
    },
    guard,
  );
}

/** Nothing is asked of the web for a file that could not be saved. */
async function assertWritable(root: RootFolder, path: string): Promise<void> {
  try {
    await using place = await root.openPlace(path);
    if (!place.stats.isFile())
      throw bundledErrors.NOT_A_FILE({
        path,
        found: place.stats.isDirectory() ? "a directory" : "a pipe, a socket or a device",
      });
  } catch (error) {
    if (!isPosternError(error) || error.code !== "PATH_NOT_FOUND") throw error;
  }
}

function openDownload(
  openUrl: OpenUrl,
  { url, timeout }: Input,
  { maxDownloadBytes, signal }: { readonly maxDownloadBytes: number; readonly signal: AbortSignal },
): Promise<SafeResponse> {
  return openUrl({
    url,
    timeoutMs: timeout * 1000,
    maxBytes: maxDownloadBytes,
    // The file as it is there, not as it would travel faster.
    headers: { accept: "*/*", "accept-encoding": "identity" },
    onTooLarge: "fail",
    signal,
  });
}

async function saveResponse(
  root: RootFolder,
  { file_path: path }: Input,
  response: SafeResponse,
): Promise<Fields> {
  try {
    await using place = await openForWriting(root, path);
    const draft = await place.createDraft();
    try {
      const written = await writeBody(draft, response);
      await draft.commit();
      return {
        ...written,
        saved_to: path,
        content_type: response.headers.get("content-type") ?? "",
        final_url: response.url,
        redirects: [...response.redirects],
        status_code: response.status,
      };
    } finally {
      await draft.discard();
    }
  } finally {
    await response.close();
  }
}

async function writeBody(
  { file }: Draft,
  { body }: SafeResponse,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    await file.writeFile(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

function toDownloadError(error: unknown, { url, file_path: path }: Input, maxBytes: number) {
  if (!isPosternError(error)) {
    const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
    const reason = typeof code === "string" ? code : "unknown reason";
    return bundledErrors.WRITE_FAILED({ path, reason }, { cause: error });
  }
  return error.code === "RESPONSE_TOO_LARGE"
    ? webErrors.DOWNLOAD_TOO_LARGE({ url, maxBytes }, { cause: error })
    : error;
}
