/** A text with its line starts, so that an offset can be told as line and column. */
export interface SourceText {
  /** Without a byte order mark. */
  readonly text: string;
  /** One-based line and column of an offset. A line ends with LF, CR LF or a lone CR. */
  positionAt(offset: number): { readonly line: number; readonly column: number };
}

/** Takes off the byte order mark that some editors write. */
function withoutByteOrderMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Prepares a text for telling positions. The line starts are found on first use. */
export function createSourceText(raw: string): SourceText {
  const text = withoutByteOrderMark(raw);
  let starts: number[] | undefined;
  return {
    text,
    positionAt(offset) {
      starts ??= findLineStarts(text);
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
  };
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (const found of text.matchAll(/\r\n|\n|\r/g)) starts.push(found.index + found[0].length);
  return starts;
}
