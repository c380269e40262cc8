import type { Listing } from "@postern/tool";

const start =
  "Every answer has `error`: empty when the call succeeded, else a sentence that says what to do.";
const local =
  "Paths are relative to the project's folder; nothing outside it can be reached by file tools.";

/**
 * Writes what a model should know before it uses the tools: what they have in common, and what each is for.
 *
 * @param listings - The tools that are offered.
 * @returns The text: one line for each tool, the first of its description.
 */
export function toInstructions(listings: readonly Listing[]): string {
  const lines = listings.map(({ name, raw: { description } }) =>
    typeof description === "string"
      ? `- ${name}: ${description.split("\n")[0] ?? ""}`
      : `- ${name}`,
  );
  const isLocal = listings.some(({ tags }) => tags.includes("local"));
  return [isLocal ? `${start} ${local}` : start, "", ...lines].join("\n");
}
