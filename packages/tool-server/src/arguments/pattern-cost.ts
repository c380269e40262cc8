/** How the work of a regular expression can grow. */
export interface PatternCost {
  /** Power of the text's length: 0 for fixed, 1 for linear, … */
  readonly power: number;
  /** Ways to try at one place. */
  readonly factor: number;
}

/** Longer patterns are not read. */
const maxPatternLength = 1_000;

interface Group {
  /** Whether something inside can match in more than one way. */
  varies: boolean;
  alternatives: number;
}

/**
 * Estimates the worst work of a pattern, by its form alone. A server's pattern meets a caller's text in this
 * process, so one that could run away is never run.
 *
 * @param pattern - The source of a regular expression.
 * @returns The cost; undefined when it cannot be bounded: look-around, back references, repeats of what varies.
 */
export function estimatePattern(pattern: string): PatternCost | undefined {
  if (pattern.length > maxPatternLength || !isRegExp(pattern)) return undefined;
  const groups: Group[] = [{ varies: false, alternatives: 1 }];
  let power = pattern.startsWith("^") ? 0 : 1;
  let factor = 1;
  let closed: Group | undefined;
  const tokens = pattern.match(tokenPattern) ?? [];
  for (const token of tokens) {
    const group = groups.at(-1);
    if (group === undefined || isUnbounded(token)) return undefined;
    if (token.startsWith("(")) groups.push({ varies: false, alternatives: 1 });
    else if (token === ")") {
      groups.pop();
      closed = group;
      factor *= group.alternatives;
      const outer = groups.at(-1);
      if (outer !== undefined) outer.varies ||= group.varies || group.alternatives > 1;
      continue;
    } else if (token === "|") {
      group.alternatives += 1;
      // The anchor of the first alternative says nothing of the others.
      if (groups.length === 1) power = Math.max(power, 1);
    } else if (quantifierPattern.test(token)) {
      const fixed = fixedPattern.test(token);
      const optional = token.startsWith("?");
      if (closed !== undefined && !optional && !(fixed && isUniform(closed))) return undefined;
      group.varies ||= !fixed;
      if (optional) factor *= 2;
      else if (!fixed) power += 1;
    }
    closed = undefined;
  }
  return { power, factor };
}

/** An escape, a class, the opening of a group, a quantifier (lazy or not), or one character. */
const tokenPattern =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?<?[=!]|\(\?<[^>]*>|\(\?:|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/gu;
const quantifierPattern = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??$/;
const fixedPattern = /^\{\d{1,3}\}\??$/;

/** Whether a group can match a place in one way only, so that repeating it multiplies nothing. */
function isUniform(group: Group): boolean {
  return !group.varies && group.alternatives === 1;
}

function isUnbounded(token: string): boolean {
  return /^\(\?<?[=!]|^\\[1-9k]/.test(token);
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").unicode;
  } catch {
    return false;
  }
}
