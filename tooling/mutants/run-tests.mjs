import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const limitMs = 90_000;

/**
 * @typedef {{ file: string, name: string, status: string }} Outcome Of one test that ran.
 * @typedef {{ files: readonly string[], pattern: string, changed: readonly string[] }} Order What the child is to run.
 * @typedef {{ outcomes: readonly Outcome[], output: string }} Report `output` is what else there is to say.
 * @typedef {{ test: string, name: string }} Wanted
 */

/** The tests of one copy of the repository. Vitest is loaded once, and again after a test that hung. */
export class TestRunner {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  /** @type {string} */
  #folder;
  /** @type {readonly string[]} Files that were changed for the run before, and mended since. */
  #mended = [];

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * Runs the tests of these names, and no other.
   *
   * @param {readonly Wanted[]} wanted
   * @param {readonly string[]} changed Files that are changed for this run alone.
   * @returns {Promise<Report>}
   */
  async run(wanted, changed = []) {
    const child = this.#child ?? (await this.#start());
    const toPath = (/** @type {string} */ file) => join(this.#folder, file);
    const names = [...new Set(wanted.map(({ name }) => toEscaped(name)))];
    const files = [...new Set(wanted.map(({ test }) => toPath(test)))];
    const pattern = `^(?:${names.join("|")})$`;
    child.send({ files, pattern, changed: [...this.#mended, ...changed].map(toPath) });
    this.#mended = changed;
    const report = await readReport(child);
    if (report === undefined) {
      this.close();
      return { outcomes: [], output: `Vitest ended, or took more than ${limitMs / 1000} s.` };
    }
    const outcomes = report.outcomes
      .filter(({ status }) => status === "passed" || status === "failed")
      .map(({ file, name, status }) => ({
        file: file.slice(this.#folder.length + 1).replaceAll("\\", "/"),
        // Its parts stand apart here, but with a blank where a pattern looks for it.
        name: name.replaceAll(" > ", " "),
        status,
      }));
    return { outcomes, output: report.output };
  }

  /** Ends vitest with everything that a test may have left. */
  close() {
    const pid = this.#child?.pid;
    this.#child = undefined;
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch {
      // Ended by itself just now.
    }
  }

  async #start() {
    const program = join(this.#folder, "tooling/mutants/warm-vitest.mjs");
    const options = { cwd: this.#folder, detached: true, stdio: "ignore" };
    const child = fork(
      program,
      [],
      /** @type {import("node:child_process").ForkOptions} */ (options),
    );
    this.#child = child;
    await readReport(child);
    return child;
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<Report | undefined>} What it says next; undefined when it ends, or takes too long.
 */
async function readReport(child) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), limitMs);
  const { signal } = stop;
  try {
    const ended = once(child, "exit", { signal }).then(() => [undefined]);
    const [report] = await Promise.race([once(child, "message", { signal }), ended]);
    return report;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/** @param {string} text */
function toEscaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
