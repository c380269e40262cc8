import type { SearchBackend } from "./search-backend.js";

/**
 * Makes the backend that is used unless another is given: ripgrep where its binary came along, else our own walker.
 * Chosen, and loaded, at the first search.
 *
 * @returns The backend.
 */
export function createDefaultBackend(): SearchBackend {
  let chosen: Promise<SearchBackend> | undefined;
  const choose = (): Promise<SearchBackend> => (chosen ??= loadBackend());
  return {
    name: "default",
    findMatches: async (request) => (await choose()).findMatches(request),
    findFiles: async (request) => (await choose()).findFiles(request),
  };
}

async function loadBackend(): Promise<SearchBackend> {
  const { createRipgrepBackend, isRipgrepPresent } = await import("./ripgrep-backend.js");
  if (isRipgrepPresent()) return createRipgrepBackend();
  const { createWalkerBackend } = await import("./walker-backend.js");
  return createWalkerBackend();
}
