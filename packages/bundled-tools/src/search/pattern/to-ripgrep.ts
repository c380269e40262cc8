import type { Node } from "./parse-pattern.js";

const signs = { start: "^", end: "$", boundary: "\\b", inner: "\\B" } as const;

/** Writes a pattern in the syntax of ripgrep's engine, where no sign is left to its own reading. */
export function toRipgrep(node: Node): string {
  if (node.kind === "set") return node.text;
  if (node.kind === "all") return node.parts.map(toRipgrep).join("");
  if (node.kind === "any") return `(?:${node.parts.map(toRipgrep).join("|")})`;
  if (node.kind === "repeat") return `(?:${toRipgrep(node.part)})${toCount(node.min, node.max)}`;
  return signs[node.kind];
}

function toCount(min: number, max: number): string {
  return max === Infinity ? `{${min},}` : `{${min},${max}}`;
}
