import { createSensitiveNames, askForPaths } from "@postern/policy/paths";
import { toRealPath } from "@postern/policy/consent";
import { createCallContext, defineTool, intercept, toolSet, type Ask } from "@postern/tool";
import { z } from "zod";

const read = defineTool({
  name: "read",
  description: "Reads a file.",
  input: z.object({ path: z.string() }),
  checkpaths: ["path"],
  run: ({ path }) => `content of ${path}`,
});
const gate = askForPaths({
  root: "/srv/project",
  consent: "ask",
  isSensitive: createSensitiveNames(),
  toRealPath,
});
const tools = intercept(toolSet([read]), gate);

// The owner; a terminal or a form of an MCP client in a real program.
const ask: Ask = ({ message }) => {
  console.log(message);
  return Promise.resolve({ action: "accept", content: { answer: "session" } });
};
for (const path of ["notes.md", "/srv/other/a.md", "/srv/other/a.md"]) {
  const call = { name: "read", arguments: { path }, context: createCallContext({ ask }) };
  const { content } = await tools.call(call);
  console.log(JSON.stringify(content));
}
