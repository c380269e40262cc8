/** Longer URIs and templates never fit: it bounds the work that a caller and a server can cause together. */
const maxLength = 4_096;
/** More than any honest template has. */
const maxExpressions = 32;

/** One entry for each position in a URI, its end included: 1 where some reading of the template so far can end. */
type Positions = Uint8Array;

/** A URI, with a class for each of its characters: 0 for plain, then slash and white space. */
interface Subject {
  readonly uri: string;
  readonly classes: Uint8Array;
}
const slash = 1;
const space = 2;

/**
 * Tells whether a URI can be an expansion of a URI template. Literal parts must appear in order. A simple expression
 * matches text without a slash, `{+x}` any text; the others nothing, or text that begins with their own sign: `{?q}` with
 * `?`, `{/path}` with `/`, `{#x}`, `{&x}`, and without a slash `{.x}` and `{;x}`. White space never matches.
 *
 * @param uri - The URI, at most 4,096 characters.
 * @param template - The template, at most 4,096 characters and 32 expressions.
 * @returns True when it fits. The work is one pass over the URI for each part of the template: no backtracking.
 * @see RFC 6570 §3
 */
export function isUriOfTemplate(uri: string, template: string): boolean {
  if (uri.length > maxLength || template.length > maxLength) return false;
  const parts = template.split(/(\{[^{}]*\})/);
  if (parts.length > 2 * maxExpressions + 1) return false;
  const subject = { uri, classes: Uint8Array.from(uri.split(""), toClass) };
  let reached: Positions = new Uint8Array(uri.length + 1);
  reached[0] = 1;
  for (const [at, part] of parts.entries()) {
    if (part === "") continue;
    // What `split` captured, the expressions, stands at the odd places.
    const reach = at % 2 === 1 ? reachByExpression : reachByLiteral;
    reached = reach(subject, reached, part);
    if (!reached.includes(1)) return false;
  }
  return reached[uri.length] === 1;
}

function toClass(character: string): number {
  if (character === "/") return slash;
  return /\s/.test(character) ? space : 0;
}

/** Finds every place of the literal in one pass (Knuth, Morris and Pratt), whatever repeats in it. */
function reachByLiteral({ uri }: Subject, from: Positions, literal: string): Positions {
  const next = new Uint8Array(from.length);
  const borders = toBorders(literal);
  let matched = 0;
  for (let at = 0; at < uri.length; at += 1) {
    const code = uri.charCodeAt(at);
    while (matched > 0 && literal.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (literal.charCodeAt(matched) === code) matched += 1;
    if (matched < literal.length) continue;
    next[at + 1] = from[at + 1 - literal.length] ?? 0;
    matched = borders[matched - 1] ?? 0;
  }
  return next;
}

/** For each prefix of a text: the length of its longest proper prefix that also ends it. */
function toBorders(text: string): Uint16Array {
  const borders = new Uint16Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(length) !== text.charCodeAt(at))
      length = borders[length - 1] ?? 0;
    if (text.charCodeAt(length) === text.charCodeAt(at)) length += 1;
    borders[at] = length;
  }
  return borders;
}

function reachByExpression(subject: Subject, from: Positions, expression: string): Positions {
  const { uri, classes } = subject;
  const operator = /^\{([+#/?&.;])/.exec(expression)?.[1];
  const sign = operator === undefined || operator === "+" ? undefined : operator.charCodeAt(0);
  const stop = operator === undefined || operator === "." || operator === ";" ? slash : space;
  const next = from.slice();
  let running = false;
  for (let at = 0; at < uri.length; at += 1) {
    const starts = from[at] === 1 && (sign === undefined || uri.charCodeAt(at) === sign);
    running = (running || starts) && (classes[at] ?? space) < stop;
    if (running) next[at + 1] = 1;
  }
  return next;
}
