/**
 * Plays injections and honest work through the taint ledger, and prints what was stopped, escalated and let through. Fails
 * when something of others runs or leaves unasked, when honest work is asked about, and when a rule can be taken away
 * without any scenario noticing.
 *
 *   npm run redteam
 */
import { taintRules } from "@postern/guard";
import { findFaults, play } from "./play.mjs";
import { scenarios } from "./scenarios.mjs";

const sum = { stopped: 0, escalated: 0, through: 0, passed: 0, failed: 0 };
for (const scenario of scenarios) {
  const played = await play(scenario);
  const faults = findFaults(scenario, played);
  const escalated = played.filter(({ asked }) => asked).length;
  const through = played.filter(({ carriedOut }) => carriedOut).length;
  const stopped = played.length - through;
  sum.stopped += stopped;
  sum.escalated += escalated;
  sum.through += through;
  sum[faults.length === 0 ? "passed" : "failed"] += 1;
  const figures = `stopped ${stopped}  escalated ${escalated}  let through ${through}`;
  console.log(
    `${faults.length === 0 ? "ok  " : "FAIL"}  ${figures}  ${scenario.kind}: ${scenario.name}`,
  );
  for (const fault of faults) console.log(`      ${fault}`);
}
const hostile = scenarios.filter(({ kind }) => kind !== "honest").length;
console.log(
  `\n${hostile} injections and ${scenarios.length - hostile} honest scenarios: ${sum.stopped} calls stopped, ${sum.escalated} of them escalated to the owner, ${sum.through} let through`,
);

console.log("\nWithout one rule:");
for (const rule of taintRules) {
  const missed = [];
  for (const scenario of scenarios)
    if (findFaults(scenario, await play(scenario, [rule])).length > 0) missed.push(scenario.name);
  sum[missed.length > 0 ? "passed" : "failed"] += 1;
  console.log(
    `${missed.length > 0 ? "ok  " : "FAIL"}  ${rule}: ${missed.length} scenarios fail${missed.length > 0 ? `, as "${missed[0]}"` : ""}`,
  );
}
console.log(`\n${sum.passed} passed, ${sum.failed} failed, 0 skipped`);
process.exitCode = sum.failed === 0 && scenarios.length > 0 ? 0 : 1;
