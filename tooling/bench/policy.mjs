import { allOf, byAccess, byName, byServer, byTags, permitted } from "@postern/policy";
import { createCallContext, defineTool, restrict, toolSet } from "@postern/tool";
import { z } from "zod";
import { median } from "./measure.mjs";

const toolCount = 1_000;

function createTools() {
  return Array.from({ length: toolCount }, (_, at) =>
    defineTool({
      name: `tool_${at}`,
      description: "Does nothing.",
      input: z.object({}),
      tags: at % 3 === 0 ? ["web", "search"] : ["local", "files"],
      annotations: { readOnlyHint: at % 2 === 0, destructiveHint: at % 5 === 0 },
      run: () => "",
    }),
  );
}

/** Ten rules as an owner might have them; most of them decide on every listing. */
const rules = [
  byTags({ include: ["web", "files", "search"] }),
  byTags({ exclude: ["code"] }),
  byTags({ exclude: ["download", "destructive"] }),
  byAccess("read_only", { tool_4: { readOnly: true }, tool_9: { destructive: true } }),
  byAccess("read_only"),
  byName({ deny: ["tool_7", "other/tool"] }),
  byName({ deny: ["tool_8"] }),
  byServer({ bench: byTags({ exclude: ["secret"] }) }),
  byServer({ other: byTags({ include: ["never"] }) }),
  byAccess("full"),
];

function timeMs(work, times) {
  const taken = [];
  for (let at = 0; at < times; at += 1) {
    const from = performance.now();
    work();
    taken.push(performance.now() - from);
  }
  return median(taken);
}

/** (c) Ten rules over a thousand tools: deciding on a whole list anew, and on one call. */
export async function run() {
  const tools = toolSet(createTools(), { server: "bench" });
  const listings = await tools.list();
  const rule = allOf(...rules);
  const listMs = timeMs(() => permitted(listings, rule), 300);
  const kept = permitted(listings, rule).length;
  const decideMs = timeMs(() => listings.forEach((listing) => rule(listing)), 300) / toolCount;
  const callUs = await measureCall(tools, rule);
  return [
    {
      what: `10 rules over ${toolCount} tools (${kept} stay), whole list`,
      value: `${listMs.toFixed(3)} ms`,
      bound: "≤ 0.5 ms",
      holds: listMs <= 0.5,
    },
    {
      what: "10 rules, decision on one call",
      value: `${(decideMs * 1_000).toFixed(3)} µs`,
      bound: "≤ 1 µs",
      holds: decideMs <= 0.001,
    },
    { what: "what a view with 10 rules adds to a call, all in", value: `${callUs.toFixed(3)} µs` },
  ];
}

async function measureCall(tools, rule) {
  const view = restrict(tools, rule);
  const { name } = (await view.list())[0];
  const call = { name, arguments: {}, context: createCallContext() };
  const time = async (set) => {
    const from = performance.now();
    for (let at = 0; at < 20_000; at += 1) await set.call(call);
    return ((performance.now() - from) * 1_000) / 20_000;
  };
  const bare = [];
  const seen = [];
  for (let round = 0; round < 9; round += 1) {
    bare.push(await time(tools));
    seen.push(await time(view));
  }
  return median(seen) - median(bare);
}
