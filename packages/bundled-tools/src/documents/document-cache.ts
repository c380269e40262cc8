import type { Stats } from "node:fs";
import type { DocumentText } from "./read-document.js";

/** Converted documents, so that paging through one converts it once. */
export interface DocumentCache {
  /** Gives what is known of the file at this state, or converts it. */
  read(
    file: { readonly realPath: string; readonly stats: Stats },
    convert: () => Promise<DocumentText>,
  ): Promise<DocumentText>;
}

const maxDocuments = 4;

/** Makes an empty cache of four documents; a change of the file makes its entry count no more. */
export function createDocumentCache(): DocumentCache {
  const known = new Map<string, { readonly state: string; readonly document: DocumentText }>();
  return {
    async read({ realPath, stats }, convert) {
      const state = [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(":");
      const entry = known.get(realPath);
      const document = entry?.state === state ? entry.document : await convert();
      known.delete(realPath);
      known.set(realPath, { state, document });
      const [oldest] = known.keys();
      if (known.size > maxDocuments && oldest !== undefined) known.delete(oldest);
      return document;
    },
  };
}
