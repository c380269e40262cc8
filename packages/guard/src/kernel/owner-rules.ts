import { guardErrors } from "./errors.js";
import type { Decision } from "./decision.js";

/** A rule as data, as `guard.rules` of a configuration has it. */
export interface GuardRule {
  /** How it is named in questions. */
  readonly name: string;
  /** What follows. */
  readonly decision: Decision;
  /** A regular expression, looked for in each line of what a call would do. */
  readonly pattern: string;
  /** Only for these tools, by shown name; `*` stands for anything. Default: all. */
  readonly tools?: readonly string[];
  /** What the person who is asked is told. */
  readonly reason?: string;
  /** It is a project's: it can only make a decision stricter. */
  readonly raisesOnly?: true;
}

/** A rule, ready for use. */
export interface ReadyRule {
  readonly rule: GuardRule;
  readonly isFor: (tool: string) => boolean;
  readonly matches: (line: string) => boolean;
}

const maxPattern = 1_000;
/** So much of a line is looked at by patterns of others. */
const maxLine = 20_000;

/**
 * Makes rules ready.
 *
 * @param rules - The rules as data.
 * @returns The rules.
 * @throws {PosternError} `INVALID_GUARD_RULE` for a pattern that is none, or whose search could take time without bound.
 */
export function toReadyRules(rules: readonly GuardRule[]): readonly ReadyRule[] {
  return rules.map((rule) => {
    const expression = toExpression(rule);
    const tools = rule.tools?.map(toToolExpression);
    return {
      rule,
      isFor: (tool) => tools === undefined || tools.some((one) => one.test(tool)),
      matches: (line) => expression.test(line.slice(0, maxLine)),
    };
  });
}

function toExpression({ name, pattern }: GuardRule): RegExp {
  const problem = findProblem(pattern);
  if (problem !== undefined) throw guardErrors.INVALID_GUARD_RULE({ rule: name, problem });
  return new RegExp(pattern, "imu");
}

function findProblem(pattern: string): string | undefined {
  if (pattern === "" || pattern.length > maxPattern)
    return "its pattern must have 1 to 1,000 characters";
  try {
    void new RegExp(pattern, "imu");
  } catch {
    return "its pattern is no regular expression";
  }
  return mayRunAway(pattern)
    ? "its pattern repeats what repeats itself, looks around or refers back, and might never end; write it without"
    : undefined;
}

/**
 * Tells whether a search may take more than the square of the text: a repeated group with a repetition or a choice in it,
 * more than three open repetitions, a look-around, a reference back.
 */
function mayRunAway(pattern: string): boolean {
  const plain = pattern
    .replaceAll(/\\[^kbBdDwWsS1-9]/g, "x")
    .replaceAll(/\[(?:\\.|[^\]\\])*\]/g, "x");
  if (/\\[1-9]|\\k|\(\?<?[=!]/.test(plain)) return true;
  const open = plain.match(/[*+]|\{\d+,\}/g) ?? [];
  if (open.length > 3) return true;
  // From the innermost group outwards.
  let rest = plain.replaceAll(/\(\?(?::|<\w+>)/g, "(");
  for (;;) {
    const next = rest.replace(
      /\(([^()]*)\)([*+]|\{\d+,?\d*\}|\?)?/,
      (_whole, inner: string, times = "") => {
        const repeats = /[*+|]|\{\d+,/.test(inner);
        return repeats && /[*+{]/.test(times as string)
          ? "\0"
          : repeats
            ? "x*"
            : `x${times as string}`;
      },
    );
    if (next.includes("\0")) return true;
    if (next === rest) return false;
    rest = next;
  }
}

function toToolExpression(pattern: string): RegExp {
  const parts = pattern
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "su");
}
