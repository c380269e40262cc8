/** A published model of a nerve cell, as a catalogue holds it. */
export interface CellModel {
  /** Its id in the catalogue. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Words to find it by. */
  readonly keywords: readonly string[];
  /** Time constant of the membrane, in milliseconds. */
  readonly timeConstantMs: number;
  /** Input resistance, in megaohms. */
  readonly resistanceMegaohms: number;
  /** Potential at which it fires, in millivolts. */
  readonly thresholdMillivolts: number;
  /** Potential at rest and after firing, in millivolts. */
  readonly restMillivolts: number;
}

/** The catalogue: made-up figures of a plausible size. A server of your own asks a database here. */
export const cellModels: readonly CellModel[] = Object.freeze(
  [
    {
      id: "EX001",
      name: "Granule cell",
      keywords: ["cerebellum", "granule", "small"],
      timeConstantMs: 7,
      resistanceMegaohms: 900,
      thresholdMillivolts: -42,
      restMillivolts: -70,
    },
    {
      id: "EX002",
      name: "Pyramidal cell of layer 5",
      keywords: ["cortex", "pyramidal", "layer 5"],
      timeConstantMs: 20,
      resistanceMegaohms: 60,
      thresholdMillivolts: -50,
      restMillivolts: -68,
    },
    {
      id: "EX003",
      name: "Basket cell",
      keywords: ["hippocampus", "basket", "interneuron"],
      timeConstantMs: 10,
      resistanceMegaohms: 150,
      thresholdMillivolts: -45,
      restMillivolts: -65,
    },
  ].map((model) => Object.freeze(model)),
);

/**
 * Finds a model by its id.
 *
 * @param id - The id, letter by letter.
 * @returns The model, or undefined.
 */
export function findModel(id: string): CellModel | undefined {
  return cellModels.find((model) => model.id === id);
}
