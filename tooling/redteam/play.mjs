import { createTaintLedger, trackTaint } from "@postern/guard";
import {
  createCallContext,
  defineTool,
  intercept,
  mergeToolSets,
  textResult,
  toolSet,
} from "@postern/tool";
import { z } from "zod";

/** @typedef {import("./scenarios/parts.mjs").Scenario} Scenario */
/** @typedef {{ readonly asked: boolean, readonly carriedOut: boolean }} Played */

const reads = { readOnlyHint: true, openWorldHint: false };
const browses = { readOnlyHint: true, openWorldHint: true };
const writes = { readOnlyHint: false, openWorldHint: false };
const sends = { readOnlyHint: false, openWorldHint: true };

const ownTools = {
  fetch_page: browses,
  search: browses,
  read_mail: browses,
  read_file: reads,
  write_file: writes,
  edit_file: writes,
  schedule: writes,
  run: { destructiveHint: true, openWorldHint: true },
  eval_code: { destructiveHint: true, openWorldHint: false },
  download: sends,
  http_post: sends,
  send_mail: sends,
  create_issue: sends,
};

/**
 * Plays a scenario through a set of fake tools behind the ledger, with an owner who always says no.
 *
 * @param {Scenario} scenario
 * @param {readonly string[]} [off] Rules that are switched off.
 * @returns {Promise<readonly Played[]>} What became of each step.
 */
export async function play(scenario, off = []) {
  let answer = "done";
  let carriedOut = false;
  const toTool = (
    /** @type {string} */ name,
    /** @type {object} */ annotations,
    description = name,
  ) =>
    defineTool({
      name,
      description,
      input: z.looseObject({}),
      annotations,
      run: () => {
        carriedOut = true;
        return Promise.resolve(textResult(answer));
      },
    });
  const own = toolSet(Object.entries(ownTools).map(([name, hints]) => toTool(name, hints)));
  const foreign = toolSet(
    [toTool("tickets_get", {}), toTool("helper", {}, scenario.described ?? "Helps.")],
    { server: "foreign" },
  );
  const ledger = createTaintLedger();
  if (scenario.described !== undefined) ledger.addListings(await foreign.list());
  const all = mergeToolSets(own, foreign);
  const options = {
    ledger,
    off,
    narrowing: scenario.narrowing === true,
    once: scenario.once === true,
  };
  const agents = {
    a: intercept(all, trackTaint({ ...options, worker: "a" })),
    b: intercept(all, trackTaint({ ...options, worker: "b" })),
  };
  const played = [];
  for (const { tool, args, gives, by } of scenario.steps) {
    let asked = false;
    answer = gives ?? "done";
    carriedOut = false;
    const ask = () => {
      asked = true;
      return Promise.resolve({ action: "decline" });
    };
    await agents[by ?? "a"].call({
      name: tool,
      arguments: args,
      context: createCallContext({ ask }),
    });
    played.push({ asked, carriedOut });
  }
  return played;
}

/**
 * Tells what went wrong in a scenario.
 *
 * @param {Scenario} scenario
 * @param {readonly Played[]} played
 * @returns {readonly string[]} One line each; empty when all is well.
 */
export function findFaults(scenario, played) {
  return played.flatMap(({ asked, carriedOut }, at) => {
    const { tool } = scenario.steps[at];
    if (scenario.harm.includes(at))
      return carriedOut ? [`${tool} was carried out, step ${at}`] : [];
    if (asked) return [`${tool} was asked about, step ${at}`];
    return carriedOut ? [] : [`${tool} was not carried out, step ${at}`];
  });
}
