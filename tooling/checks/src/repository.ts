import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { openFolder, type Folder } from "@postern/test-kit";

/** Files by path; what is not text is written as JSON, and undefined leaves a file out. */
export type Files = Readonly<Record<string, string | object | undefined>>;

/** A package.json that exports `src/index.ts`, with more or other members. */
export function toManifest(name: string, members: object = {}): object {
  const source = { "@postern/source": "./src/index.ts", default: "./dist/index.js" };
  return { name, exports: { ".": source }, ...members };
}

/** Writes a small repository into a temporary folder. */
export async function openRepository(files: Files): Promise<Folder> {
  const folder = await openFolder();
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) continue;
    const file = folder.join(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}
