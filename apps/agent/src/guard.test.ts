import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasTerminal, openBench, type Bench } from "../test/built-program.js";

const open = (): Promise<Bench> =>
  openBench({ bundled: true, env: { POSTERN_ALLOW_ROOT_TOOLS: "1" } });
const call = (command: string): readonly string[] => [
  "call",
  "bundled_run_command",
  `command=${command}`,
  "--guard",
  "enforce",
];

test.concurrent("a block is refused, and a mode that is none is no command line", async () => {
  await using bench = await open();
  const { code, stderr } = await bench.run(...call("rm -rf /"));
  expect(code).toBe(4);
  expect(stderr).toContain("Nobody can allow this here");
  expect((await bench.run("call", "bundled_run_command", "--guard", "on")).code).toBe(2);
});

test.runIf(hasTerminal).concurrent.each([
  ["y", 0],
  ["n", 4],
  ["always", 4],
])("a review is asked on the terminal, and %s exits with %s", async (typed, code) => {
  await using bench = await open();
  const ended = await bench.runOnTerminal(call("git push --force 2>/dev/null || true"), {
    typed: `${typed}\n\n\n`,
  });
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain("it overwrites what others pushed");
});

test.concurrent("piped, a review is refused", async () => {
  await using bench = await open();
  expect(await bench.json(...call("git push --force"))).toMatchObject({
    code: 4,
    answer: { error: "APPROVAL_REFUSED" },
  });
});

test.concurrent("calls are recorded under the guard, shown and verified, and a change is found", async () => {
  await using bench = await open();
  expect((await bench.run("audit", "verify")).stdout).toContain("Nothing was recorded yet");
  await bench.run(...call("rm -rf /"));
  await bench.run(...call("echo secret-word"));
  const { answer } = await bench.json("audit", "tail");
  expect((answer as { records: object[] }).records).toMatchObject([
    { event: "begin" },
    { tool: "bundled_run_command", outcome: "refused", code: "CALL_BLOCKED" },
    { event: "begin" },
    { tool: "bundled_run_command", outcome: "ok", caller: { kind: "owner" } },
  ]);
  expect(JSON.stringify(answer)).not.toContain("secret-word");
  expect((await bench.run("audit", "tail", "--lines", "1")).stdout).toMatch(
    /bundled_run_command +ok/,
  );
  expect((await bench.run("audit", "verify")).stdout).toContain("Whole: 4 records in 2 segments");
  const folder = join(bench.home, "audit");
  const name = (await readdir(folder)).find((each) => each.endsWith(".jsonl")) ?? "";
  const text = await readFile(join(folder, name), "utf8");
  await bench.write(`home/audit/${name}`, text.replace("CALL_BLOCKED", "CALL_BLOCKEE"));
  const ended = await bench.json("audit", "verify");
  expect(ended).toMatchObject({ code: 1, answer: { error: "AUDIT_CHANGED" } });
});
