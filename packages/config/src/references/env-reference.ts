const reference = /\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;
const lookAlike = /\{\s*env\s*:/i;
const foreign = /\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}]{0,200})?\}|\$\{input:[^}]{0,200}\}/;

/** A text cut at its references: literal pieces, and the names of variables. */
export type ReferencePiece =
  | { readonly kind: "text"; readonly text: string; readonly offset: number }
  | { readonly kind: "reference"; readonly name: string; readonly offset: number };

/**
 * Cuts a text at its `{env:NAME}` references.
 *
 * @param text - Any text.
 * @returns The pieces in order; without references, the text itself.
 */
export function toReferencePieces(text: string): readonly ReferencePiece[] {
  const pieces: ReferencePiece[] = [];
  let end = 0;
  for (const found of text.matchAll(reference)) {
    if (found.index > end)
      pieces.push({ kind: "text", text: text.slice(end, found.index), offset: end });
    pieces.push({ kind: "reference", name: found[1] ?? "", offset: found.index });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push({ kind: "text", text: text.slice(end), offset: end });
  return pieces;
}

/**
 * Tells whether a text holds an `{env:NAME}` reference.
 *
 * @param text - Any text.
 * @returns True also where other text stands around it.
 */
export function hasReference(text: string): boolean {
  return toReferencePieces(text).some(({ kind }) => kind === "reference");
}

/** Replaces each reference by the same text, for looking at what stands around them. */
export function withoutReferences(text: string, replacement: string): string {
  return text.replace(reference, replacement);
}

/** Tells whether something was meant as a reference and is none: `{env:}`, `{env: X}`, `{ENV:X}`, `${env:X}`. */
export function hasLookAlike(text: string): boolean {
  return /\$\{env:/i.test(text) || lookAlike.test(withoutReferences(text, ""));
}

/** Finds a reference of another program, which would be sent as it is written: `${TOKEN}`, `${input:key}`. */
export function findForeignReference(text: string): string | undefined {
  return foreign.exec(text)?.[0];
}
