import { toPlainText } from "@postern/config";

/**
 * Writes text that came from outside so that it cannot steer a terminal or hide what it says.
 *
 * @param text - Server text.
 * @returns The text with every control and invisible character but line end and tab written as `\u{…}`.
 */
export function toVisibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .split(/([\n\t])/)
    .map((part) => (part === "\n" || part === "\t" ? part : toPlainText(part)))
    .join("");
}

/**
 * The same, on one line.
 *
 * @param text - Server text, file text, or a name.
 * @returns One line: runs of white space become one space.
 */
export function toVisibleLine(text: string): string {
  return toPlainText(text.replace(/\s+/g, " ").trim());
}
