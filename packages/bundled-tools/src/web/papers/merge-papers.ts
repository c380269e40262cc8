import type { Paper } from "./paper.js";

/** Shorter titles, as "Editorial" or "Reply", tell no two papers apart. */
const minTitleChars = 20;

/**
 * Puts lists of papers behind each other, each paper once. The first of two stays, and takes from the second the
 * abstract and year that it lacks.
 *
 * @param lists - The better first: reviewed papers before preprints.
 * @returns The papers.
 */
export function mergePapers(...lists: readonly (readonly Paper[])[]): readonly Paper[] {
  const merged: Paper[] = [];
  for (const paper of lists.flat()) {
    const index = merged.findIndex((other) => isSame(other, paper));
    const first = merged[index];
    if (first === undefined) merged.push(paper);
    else
      merged[index] = {
        ...first,
        abstract: first.abstract ?? paper.abstract,
        year: first.year ?? paper.year,
      };
  }
  return merged;
}

function isSame(one: Paper, other: Paper): boolean {
  const dois = [one.doi, other.doi].filter((doi) => doi !== null).map((doi) => doi.toLowerCase());
  if (dois.length === 2 && dois[0] === dois[1]) return true;
  // Two papers of one kind with two DOIs are two; a preprint has a DOI of its own beside that of the article.
  if (dois.length === 2 && one.peer_reviewed === other.peer_reviewed) return false;
  const title = toTitleKey(one);
  if (title !== toTitleKey(other)) return false;
  return title.length >= minTitleChars || (dois.length < 2 && one.year === other.year);
}

function toTitleKey({ title }: Paper): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
