import { createCallContext, findResultError, intercept, restrict } from "@postern/tool";
import { byDescriptionLength, createCallQuota, domainTools } from "@postern/example-extension";

// A foreign rule and a foreign interceptor fit any set: a pool of servers, the bundled tools, or this one.
const tools = intercept(
  restrict(domainTools({ code: true }), byDescriptionLength({ maxCharacters: 90 })),
  createCallQuota({ maxCalls: 2, perMs: 60_000 }),
);
console.log("listed:", (await tools.list()).map(({ name }) => name).join(", "));

const call = {
  name: "describe_model",
  arguments: { id: "EX002" },
  context: createCallContext(),
};
for (let round = 1; round <= 3; round += 1) {
  const outcome = await tools.call(call);
  console.log(`call ${round}:`, findResultError(outcome)?.code ?? "answered");
}
