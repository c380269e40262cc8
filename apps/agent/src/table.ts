const gap = "  ";

/**
 * Lays out rows in columns.
 *
 * @param head - The column titles.
 * @param rows - The cells: visible text on one line.
 * @param options - `bold`: mark the head row. `columns`: cut each line to this many characters.
 * @returns The lines, without a final line end.
 */
export function toTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  options: { readonly bold: boolean; readonly columns?: number },
): string {
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => toWidth(row[index] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    toCut(
      cells.map((cell, index) => toPadded(cell, widths[index] ?? 0)).join(gap),
      options.columns,
    );
  const first = line(head);
  return [options.bold ? `\u001b[1m${first}\u001b[22m` : first, ...rows.map(line)].join("\n");
}

function toPadded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - toWidth(cell)));
}

function toCut(line: string, columns: number | undefined): string {
  const text = line.trimEnd();
  const characters = Array.from(text);
  if (columns === undefined || columns < 20 || characters.length <= columns) return text;
  return `${characters.slice(0, columns - 1).join("")}…`;
}

/** In code points: near enough to columns for names and descriptions. */
function toWidth(text: string): number {
  return Array.from(text).length;
}
