import { defineTool } from "@postern/tool";
import { z } from "zod";
import { extensionErrors } from "../errors.js";
import { findModel } from "./models.js";

/** Tells the figures of a model. */
export const describeModel = defineTool({
  name: "describe_model",
  title: "Describe a cell model",
  description: "Gives the electrical figures of a cell model, and what makes it fire.",
  input: z.object({ id: z.string().max(60).describe("The model's id, for instance EX001.") }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    timeConstantMs: z.number(),
    resistanceMegaohms: z.number(),
    thresholdMillivolts: z.number(),
    restMillivolts: z.number(),
    leastCurrentPicoamperes: z.number(),
  }),
  tags: ["neuroml"],
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run({ id }) {
    const model = findModel(id);
    if (model === undefined) throw extensionErrors.UNKNOWN_MODEL({ id });
    const { keywords: _, ...figures } = model;
    const rise = model.thresholdMillivolts - model.restMillivolts;
    // Millivolts over megaohms are nanoamperes.
    return { ...figures, leastCurrentPicoamperes: (1_000 * rise) / model.resistanceMegaohms };
  },
});
