// @ts-check
import { writeCopies } from "./src/budgets/sync.mjs";

for (const path of writeCopies(process.cwd())) console.log(`wrote ${path}`);
