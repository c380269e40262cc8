import { defineTool } from "@postern/tool";
import { z } from "zod";
import { cellModels } from "./models.js";

/** Finds models by words. Tagged `web`, because a real one asks a web catalogue. */
export const findModels = defineTool({
  name: "find_models",
  title: "Find cell models",
  description:
    "Finds cell models whose name or keywords hold every word of the query. Use the ids with describe_model.",
  input: z.object({
    query: z.string().max(200).describe("Words to look for; empty lists every model."),
  }),
  output: z.object({
    models: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  tags: ["web", "neuroml", "neuroml-db"],
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run({ query }) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const models = cellModels
      .filter(({ name, keywords }) => {
        const text = [name, ...keywords].join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .map(({ id, name }) => ({ id, name }));
    return { models };
  },
});
