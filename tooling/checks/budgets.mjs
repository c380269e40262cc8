// @ts-check
import { checkBudgets } from "./src/budgets/check-budgets.mjs";
import { writeReport } from "./src/report.mjs";

writeReport("budgets", checkBudgets(process.cwd()));
