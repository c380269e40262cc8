import { defineErrors } from "@postern/errors";

/** Quotes a name that came from outside: control and invisible characters escaped, at most 100 characters of it. */
function quote(name: string): string {
  const short = name.length > 100 ? `${name.slice(0, 99)}…` : name;
  return JSON.stringify(short).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** What a tool call can be refused with, or fail with, before any server sees it. */
export const toolErrors = defineErrors({
  UNKNOWN_TOOL: ({ name }: { name: string }) =>
    `There is no tool named ${quote(name)}. List the tools to see what may be called.`,
  UNKNOWN_PROMPT: ({ name }: { name: string }) =>
    `There is no prompt named ${quote(name)}. List the prompts to see what may be used.`,
  UNKNOWN_RESOURCE: ({ uri }: { uri: string }) =>
    `There is no resource ${quote(uri)}. List the resources to see what may be read.`,
  UNKNOWN_METHOD: ({ method }: { method: string }) =>
    `The method ${quote(method)} is not served here.`,
  INVALID_ARGUMENTS: ({ problems }: { problems: readonly string[] }) =>
    `The arguments do not fit the tool's input schema: ${problems.join("; ")}. Correct them and call again.`,
  OUTPUT_MISMATCH: ({ name, problems }: { name: string; problems: readonly string[] }) =>
    `The tool ${quote(name)} ran, but its result does not fit its own output schema: ${problems.join("; ")}. Tell its author.`,
  INVALID_TOOL: ({ name, problem }: { name: string; problem: string }) =>
    `The tool ${quote(name)} is not defined well: ${problem}.`,
  INPUT_REQUIRED: "The answer of a person is needed; it comes with a retried request.",
  INTERNAL_ERROR: "The call failed for a reason that is in the log of the process that ran it.",
  NOT_JSON: ({ found }: { found: string }) => `JSON cannot hold this value: ${found}.`,
});
