import { defineTool } from "@postern/tool";
import { z } from "zod";
import { extensionErrors } from "../errors.js";
import { findModel, type CellModel } from "./models.js";

const stepMs = 0.1;

/**
 * Steps a leaky integrate-and-fire cell through time.
 *
 * @param model - The cell.
 * @param currentPicoamperes - The current into it, always the same.
 * @returns The potential and whether it fired, step by step, without end.
 */
function* simulate(model: CellModel, currentPicoamperes: number): Generator<boolean, never> {
  const { timeConstantMs, resistanceMegaohms, restMillivolts, thresholdMillivolts } = model;
  const drive = (resistanceMegaohms * currentPicoamperes) / 1_000;
  let potential = restMillivolts;
  for (;;) {
    potential += (stepMs * (restMillivolts - potential + drive)) / timeConstantMs;
    const fires = potential >= thresholdMillivolts;
    if (fires) potential = restMillivolts;
    yield fires;
  }
}

/** Steps between two looks at whether the caller still waits. */
const stepsPerTurn = 10_000;

/**
 * Runs a simulation. Tagged `code` and not annotated read-only, because a real one runs a simulator as a program: it is
 * not offered under `read_only`, and this server offers it only behind a token.
 */
export const runSimulation = defineTool({
  name: "run_simulation",
  title: "Run a simulation",
  description: "Feeds a constant current into a cell model and gives the times at which it fires.",
  input: z.object({
    id: z.string().max(60).describe("The model's id."),
    currentPicoamperes: z.number().min(-10_000).max(10_000).describe("The current, in pA."),
    durationMs: z.number().min(1).max(60_000).default(100).describe("How long, in ms."),
  }),
  output: z.object({
    spikeCount: z.number(),
    firstSpikesMs: z.array(z.number()).describe("The first 100 of them."),
  }),
  tags: ["neuroml", "code"],
  annotations: { readOnlyHint: false, destructiveHint: false },
  async run({ id, currentPicoamperes, durationMs }, { signal, progress }) {
    const model = findModel(id);
    if (model === undefined) throw extensionErrors.UNKNOWN_MODEL({ id });
    const cell = simulate(model, currentPicoamperes);
    const steps = Math.round(durationMs / stepMs);
    const spikes: number[] = [];
    for (let step = 1; step <= steps; step += 1) {
      if (cell.next().value) spikes.push(Math.round(step * stepMs * 10) / 10);
      if (step % stepsPerTurn > 0) continue;
      progress({ progress: step, total: steps });
      await new Promise(setImmediate);
      signal.throwIfAborted();
    }
    return { spikeCount: spikes.length, firstSpikesMs: spikes.slice(0, 100) };
  },
});
