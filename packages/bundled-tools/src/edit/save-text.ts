import { isPosternError } from "@postern/errors";
import { bundledErrors } from "../errors.js";
import type { WritePlace } from "../files/write-place.js";

/** A larger file is not read into memory to be edited. */
export const maxEditBytes = 100 * 1024 * 1024;

/**
 * Writes new content in place of old, unless someone else changed the file since it was read.
 *
 * @param place - The file.
 * @param before - What was read; undefined when there was no file.
 * @param content - The new content.
 * @param path - For messages.
 * @throws {PosternError} `FILE_CHANGED`, or why it cannot be written; the file is as it was.
 */
export async function saveContent(
  place: WritePlace,
  { before, content }: { readonly before: Buffer | undefined; readonly content: Buffer },
  path: string,
): Promise<void> {
  const draft = await place.createDraft();
  try {
    await draft.file.writeFile(content);
    await draft.commit(async () => {
      const now = await place.readCurrent(maxEditBytes + 1);
      const isSame =
        now === undefined || before === undefined ? now === before : now.equals(before);
      if (!isSame) throw bundledErrors.FILE_CHANGED({ path });
    });
  } catch (error) {
    await draft.discard();
    if (isPosternError(error)) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw bundledErrors.WRITE_FAILED({ path, reason }, { cause: error });
  }
}
