/** A text as it came. */
export interface EncodedText {
  readonly data: Uint8Array;
  /** Whether there was more. */
  readonly isCut: boolean;
  readonly contentType: string;
}

/**
 * Decodes a page as a browser does: a byte order mark goes before the header, the header before the page's own word,
 * and without any of them UTF-8 goes before the Latin of old.
 *
 * @param source - The bytes, whether they are cut (perhaps in the middle of a character), and the header.
 * @returns The text, without byte order mark.
 */
export function decodeText(source: EncodedText): string {
  const { data, contentType } = source;
  const label = findBomLabel(data) ?? findHeaderLabel(contentType) ?? findOwnLabel(data);
  const said = label === undefined ? undefined : decode(source, label);
  return said ?? decode(source, "utf-8", true) ?? decode(source, "windows-1252") ?? "";
}

function findBomLabel(data: Uint8Array): string | undefined {
  if (data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf) return "utf-8";
  if (data[0] === 0xfe && data[1] === 0xff) return "utf-16be";
  return data[0] === 0xff && data[1] === 0xfe ? "utf-16le" : undefined;
}

function findHeaderLabel(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}

/** What the page says at its beginning: `<meta charset>`, `<meta http-equiv>` or `<?xml encoding>`. */
function findOwnLabel(data: Uint8Array): string | undefined {
  const start = Buffer.from(data.subarray(0, 1024)).toString("latin1");
  const label =
    /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1] ??
    /^<\?xml[^>]{0,100}?encoding\s*=\s*["']([^"']+)/i.exec(start)?.[1];
  // It was readable as ASCII, so it is not UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}

/** Undefined for a label that nobody knows, or with `fatal` for bytes that are not so. */
function decode({ data, isCut }: EncodedText, label: string, fatal = false): string | undefined {
  try {
    // The beginning of a character at a cut is left out, and is no mistake.
    return new TextDecoder(label, { fatal }).decode(data, { stream: isCut });
  } catch {
    return undefined;
  }
}
