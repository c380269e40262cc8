import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { audit, openAuditLog, readAudit, verifyAudit } from "@postern/guard/audit";
import { createCallContext, defineTool, intercept, toolSet } from "@postern/tool";
import { z } from "zod";

const folder = await mkdtemp(join(tmpdir(), "audit-"));
const log = await openAuditLog({ folder });
const greet = defineTool({
  name: "greet",
  description: "Greets.",
  input: z.object({ name: z.string() }),
  run: ({ name }) => `Hello ${name}`,
});
const tools = intercept(toolSet([greet]), audit({ log }));
await tools.call({ name: "greet", arguments: { name: "Ada" }, context: createCallContext() });
await log.close();

const { isWhole, segments } = await verifyAudit(folder);
console.log(`${segments[0]?.records} records, whole: ${isWhole}`);
const [record] = await readAudit(folder, 1);
console.log(`refused nothing, recorded ${JSON.stringify(record?.["outcome"])}`);

const file = join(folder, (await readdir(folder)).find((name) => name.endsWith(".jsonl")) ?? "");
await writeFile(file, (await readFile(file, "utf8")).replace("greet", "great"));
console.log(`after a change: ${(await verifyAudit(folder)).segments[0]?.state}`);
await rm(folder, { recursive: true });
