import { parseAccessLevel, type AccessLevel } from "@postern/policy";
import { agentErrors } from "./errors.js";

const usage = (problem: string): Error => agentErrors.USAGE({ problem });

/** Gathers a flag that may be given more than once. */
export const toList = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/**
 * Makes the reader of a flag in seconds.
 *
 * @param flag - The flag, for the message. @param allowZero - Whether 0 (off) is a value.
 * @returns A reader that throws `USAGE` for anything but a number of seconds; it never repeats what was typed.
 */
export function bySeconds(flag: string, allowZero = false): (text: string) => number {
  return (text) => {
    const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!(seconds > 0 || (allowZero && seconds === 0)) || seconds > 86_400)
      throw usage(
        `${flag} takes seconds, a number ${allowZero ? "from 0 (no limit)" : "above 0"} to 86400.`,
      );
    return seconds;
  };
}

/**
 * Reads a comma-separated list of tags.
 *
 * @param text - What was typed.
 * @returns The tags, trimmed.
 * @throws {PosternError} `USAGE` when there is none: an empty filter would mean something else than it says.
 */
export function parseTags(text: string): readonly string[] {
  const tags = text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  if (tags.length === 0) throw usage("A tag filter needs at least one tag, such as web,files.");
  return tags;
}

/**
 * Reads `--level`.
 *
 * @param text - What was typed.
 * @returns The level.
 * @throws {PosternError} `USAGE` for anything but the two levels: an unknown one is never taken for `full`.
 */
export function parseLevel(text: string): AccessLevel {
  const level = parseAccessLevel(text);
  if (level === undefined) throw usage("--level is full or read_only.");
  return level;
}

/**
 * Reads `--lines`.
 *
 * @param text - What was typed.
 * @returns The number.
 * @throws {PosternError} `USAGE` for anything but a number from 1 to 10,000.
 */
export function parseCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 10_000) throw usage("--lines takes a number, 1 to 10000.");
  return count;
}

/**
 * Reads `--guard`.
 *
 * @param text - What was typed.
 * @returns The mode.
 * @throws {PosternError} `USAGE` for anything but the three modes: an unknown one is never taken for `off`.
 */
export function parseGuard(text: string): "off" | "observe" | "enforce" {
  if (text !== "off" && text !== "observe" && text !== "enforce")
    throw usage("--guard is off, observe or enforce.");
  return text;
}

/**
 * Reads `--http`.
 *
 * @param text - What was typed.
 * @returns The port; 0 means any free one.
 * @throws {PosternError} `USAGE` for anything but a port.
 */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw usage("--http takes a port, 0 to 65535; 0 means any free one.");
  return port;
}
