// @ts-check
import { checkLayers } from "./src/layers/check-layers.mjs";
import { writeReport } from "./src/report.mjs";

writeReport("layers", checkLayers(process.cwd()));
