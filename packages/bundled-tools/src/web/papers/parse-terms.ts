/** So many words are of use; sources cut longer queries, or refuse them. */
const maxWords = 40;

/** Letters and digits, with single hyphens, dots and apostrophes inside: nothing that any source takes for syntax. */
const word = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[-.'](?=[\p{L}\p{N}]))*/gu;
const operator = /^(?:and|andnot|not|or)$/i;

/**
 * Takes the words out of a query, and leaves the syntax: a bracket, a field's name, a wildcard or an operator in it
 * would otherwise change what the rest of our own query means, for example which papers count as reviewed.
 *
 * @param query - What the caller looks for; phrases may be in quotes.
 * @returns Words, and phrases of words with single spaces; each made of letters, digits and `-`, `.`, `'` between them.
 */
export function parseTerms(query: string): readonly string[] {
  const terms: string[] = [];
  let count = 0;
  const take = (words: readonly string[]): readonly string[] => {
    const taken = words.slice(0, maxWords - count);
    count += taken.length;
    return taken;
  };
  const text = query.normalize("NFC").replace(/[“”„]/g, '"').replace(/[’‘]/g, "'");
  for (const [, phrase, rest] of text.matchAll(/"([^"]*)"|([^"]+)/g)) {
    const words: readonly string[] = (phrase ?? rest ?? "").match(word) ?? [];
    if (phrase === undefined) terms.push(...take(words.filter((one) => !operator.test(one))));
    else terms.push(take(words).join(" "));
  }
  return terms.filter((term) => term !== "");
}

/** A term as a source with phrases takes it: in quotes, which no term can hold itself. */
export function toQuotedTerm(term: string): string {
  return `"${term}"`;
}

/** Terms for a source of free text: phrases in quotes, words as they are. */
export function toFreeText(terms: readonly string[]): string {
  return terms.map((term) => (term.includes(" ") ? toQuotedTerm(term) : term)).join(" ");
}
