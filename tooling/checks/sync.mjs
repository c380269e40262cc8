// @ts-check
import { execFileSync } from "node:child_process";
import { writeCopies } from "./src/budgets/sync.mjs";
import { writeToolsPage } from "./src/budgets/tools-page.mjs";

const root = process.cwd();
const written = [...writeCopies(root), ...(await writeToolsPage(root))];
for (const path of written) console.log(`wrote ${path}`);
if (written.length > 0) execFileSync("node_modules/.bin/oxfmt", written);
