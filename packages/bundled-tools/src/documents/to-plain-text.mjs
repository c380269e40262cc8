const entities = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

const unread = new Set(["script", "style", "noscript", "template", "svg"]);
const inline =
  /^\/?(?:a|abbr|b|bdi|bdo|cite|code|em|font|i|kbd|mark|q|s|small|span|strong|sub|sup|u)$/;

/**
 * Takes the tags out of HTML, in time that grows with its length only: for pages that no parser gets through.
 *
 * @param {string} html Anything.
 * @returns {string} The text, a line a block.
 */
export function toPlainText(html) {
  // Only ASCII: other letters can get longer by it, and then every index would be wrong.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const parts = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    parts.push(html.slice(at, open));
    const tag = findTag(lower, open);
    if (tag.isBreak) parts.push("\n");
    if (!tag.isTag) parts.push("<");
    at = tag.end;
  }
  parts.push(html.slice(at));
  return tidy(parts.join(""));
}

/** Where a tag that begins here ends, with its content if that is not read. */
function findTag(lower, open) {
  const after = lower.charCodeAt(open + 1);
  if (lower.startsWith("<!--", open))
    return { end: endOf(lower, "-->", open), isBreak: false, isTag: true };
  const isTag = (after >= 97 && after <= 122) || after === 47 || after === 33 || after === 63;
  if (!isTag) return { end: open + 1, isBreak: false, isTag };
  const end = endOf(lower, ">", open);
  const name = /^\/?[a-z0-9-]*/.exec(lower.slice(open + 1, Math.min(end, open + 40)))?.[0] ?? "";
  if (unread.has(name)) {
    const close = endOf(lower, `</${name}`, end);
    return { end: endOf(lower, ">", close), isBreak: true, isTag };
  }
  return { end, isBreak: !inline.test(name), isTag };
}

/** After what is looked for; the end of all when it never comes, so that nothing is searched twice. */
function endOf(lower, wanted, from) {
  const found = lower.indexOf(wanted, from);
  return found < 0 ? lower.length : found + wanted.length;
}

function tidy(text) {
  return text
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (whole, name) => toText(name) ?? whole)
    .split("\n")
    .map((line) => line.replace(/[ \t\r\f]+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

function toText(name) {
  if (!name.startsWith("#")) return entities[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
