import { createCallContext, defineTool, toolSet } from "@postern/tool";
import { allOf, byAccess, byName, byTags, checkToolKeys } from "@postern/policy";
import { z } from "zod";

const define = (name: string, tags: string[], annotations?: { readOnlyHint: boolean }) =>
  defineTool({
    name,
    description: `Stands for ${name}.`,
    input: z.object({}),
    tags,
    ...(annotations === undefined ? {} : { annotations }),
    run: () => `${name} ran`,
  });

const tools = toolSet([
  define("search_papers", ["web"], { readOnlyHint: true }),
  define("read_file", ["local", "files"], { readOnlyHint: true }),
  define("find_model", ["neuroml"]),
  define("run_lems_simulation", ["neuroml", "code"], { readOnlyHint: false }),
]);

// The owner vouches for one tool that says nothing of itself.
const declared = { find_model: { readOnly: true } };
console.log("faulty keys:", checkToolKeys(Object.keys(declared), await tools.list()).length);

const rule = allOf(
  byTags({ include: ["web", "neuroml"], exclude: ["code"] }),
  byAccess("read_only", declared),
  byName({ deny: ["download_file"] }),
);
for (const listing of await tools.list()) {
  const decision = rule(listing);
  console.log(`${listing.name}: ${decision.allow ? "listed" : decision.reason}`);
}

// What is hidden is not callable either, and looks exactly like a name that does not exist.
const call = { name: "read_file", arguments: {}, context: createCallContext() };
const outcome = await tools.restrict(rule).call(call);
console.log(JSON.stringify(outcome["structuredContent"]));
