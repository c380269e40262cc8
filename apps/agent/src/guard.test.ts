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
