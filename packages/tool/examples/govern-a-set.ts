import {
  allowed,
  createCallContext,
  defineTool,
  intercept,
  mergeToolSets,
  refused,
  restrict,
  toolSet,
  type Interceptor,
  type ToolRule,
} from "@postern/tool";
import { z } from "zod";

// Tools of this process. A server's tools would be a ToolSet just the same.
const texts = toolSet([
  defineTool({
    name: "count_words",
    description: "Counts the words of a text.",
    input: z.object({ text: z.string() }),
    output: z.object({ words: z.number() }),
    annotations: { readOnlyHint: true },
    run: ({ text }) => ({ words: text.split(/\s+/).filter(Boolean).length }),
  }),
]);
const files = toolSet(
  [
    defineTool({
      name: "delete_all",
      description: "Deletes everything.",
      input: z.object({}),
      annotations: { destructiveHint: true },
      run: () => "gone",
    }),
  ],
  { server: "files" },
);

// A rule hides a thing and refuses its use: one decision for both.
const byHarmless: ToolRule = ({ annotations }) =>
  annotations?.readOnlyHint === true ? allowed : refused("not read-only");

// An interceptor wraps every call that the rule lets through.
const announce: Interceptor = (next) => async (call) => {
  console.log("calling", call.listing.name);
  return next(call);
};

const tools = intercept(restrict(mergeToolSets(texts, files), byHarmless), announce);
console.log("listed:", (await tools.list()).map(({ name }) => name).join(", "));

const context = createCallContext();
const calls = [
  { name: "count_words", arguments: { text: "small guarded gate" } },
  { name: "count_words", arguments: { text: 7 } },
  { name: "delete_all", arguments: {} },
];
for (const call of calls) {
  const outcome = await tools.call({ ...call, context });
  console.log(JSON.stringify(outcome["structuredContent"]));
}
