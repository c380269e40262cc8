// @ts-check

/**
 * Prints what a check found and sets the exit code: 0 only when there is nothing.
 *
 * @param {string} what For instance `layers`.
 * @param {readonly string[]} problems One line each.
 */
export function writeReport(what, problems) {
  for (const problem of problems) console.error(problem);
  const count = problems.length;
  console.log(count === 0 ? `${what}: in order` : `${what}: ${count} problem(s)`);
  process.exitCode = count === 0 ? 0 : 1;
}
