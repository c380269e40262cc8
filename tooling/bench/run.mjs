/**
 * The bench: ratios taken in one run, each beside its bound. CPU is the process's own (process.cpuUsage).
 *
 *   npm run bench            all parts
 *   npm run bench -- a c     some of them
 */
import { cpus } from "node:os";

const parts = {
  a: () => import("./http.mjs"),
  b: () => import("./pool.mjs"),
  c: () => import("./policy.mjs"),
  d: () => import("./start.mjs"),
  e: () => import("./search.mjs"),
  f: () => import("./files.mjs"),
  g: () => import("./command.mjs"),
  h: () => import("./guard.mjs"),
};
const chosen = process.argv.slice(2).filter((name) => name in parts);
const rows = [];
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}\n`);
for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) {
  const { run } = await parts[name]();
  rows.push(...(await run()).map((row) => ({ part: name, ...row })));
}
const width = Math.max(...rows.map(({ what }) => what.length));
for (const { part, what, value, bound, holds } of rows) {
  const verdict = bound === undefined ? "" : `${holds ? "holds" : "GAP  "}  bound ${bound}`;
  console.log(`${part}  ${what.padEnd(width)}  ${value.padStart(12)}  ${verdict}`);
}
const gaps = rows.filter(({ holds }) => holds === false).length;
console.log(`\n${gaps === 0 ? "Every bound holds." : `${gaps} bounds are missed (GAP).`}`);
