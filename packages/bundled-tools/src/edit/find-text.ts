/**
 * The engine's own search takes only the last 250 characters of a text into account when it skips; for a longer one
 * it may compare everything at every place, which for a few megabytes of the same letter takes hours.
 */
const maxNativeChars = 250;

/**
 * Finds every place where a text stands in another, in time that grows with the length of both together.
 *
 * @param text - Where to look.
 * @param wanted - What to look for; not empty.
 * @param overlaps - Whether a place may overlap the one before. Default: none does.
 * @returns Where each begins, ascending; looked for as they are asked for.
 */
export function findText(
  text: string,
  wanted: string,
  overlaps = false,
): Generator<number, undefined> {
  return wanted.length > maxNativeChars
    ? findLong(text, wanted, overlaps)
    : findShort(text, wanted, overlaps);
}

function* findShort(
  text: string,
  wanted: string,
  overlaps: boolean,
): Generator<number, undefined> {
  const step = overlaps ? 1 : wanted.length;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) yield at;
}

/** Knuth, Morris and Pratt. */
function* findLong(text: string, wanted: string, overlaps: boolean): Generator<number, undefined> {
  const { length } = wanted;
  const fallback = toFallback(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== wanted.charCodeAt(matched)) matched = fallback[matched - 1] ?? 0;
    if (code === wanted.charCodeAt(matched)) matched += 1;
    if (matched < length) continue;
    yield at + 1 - length;
    matched = overlaps ? (fallback[matched - 1] ?? 0) : 0;
  }
}

function toFallback(wanted: string): Int32Array {
  const fallback = new Int32Array(wanted.length);
  let matched = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    const code = wanted.charCodeAt(at);
    while (matched > 0 && code !== wanted.charCodeAt(matched)) matched = fallback[matched - 1] ?? 0;
    if (code === wanted.charCodeAt(matched)) matched += 1;
    fallback[at] = matched;
  }
  return fallback;
}
