import { toolSet, type ToolSet } from "@postern/tool";
import { describeModel } from "./describe-model.js";
import { findModels } from "./find-models.js";
import { runSimulation } from "./run-simulation.js";

/**
 * Makes the domain's tools a set.
 *
 * @param options - `code`: whether the tools that run code are among them. Default: they are not.
 * @returns The set.
 */
export function domainTools(options: { readonly code?: boolean } = {}): ToolSet {
  const reading = [findModels, describeModel];
  return toolSet(options.code === true ? [...reading, runSimulation] : reading);
}
