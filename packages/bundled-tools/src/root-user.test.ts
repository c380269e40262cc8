import { expect, it, vi } from "vitest";
import { textResult, type Tool } from "@postern/tool";
import { bundledTools } from "./bundled-tools.js";
import { findRootWarning, isYes, withRootUserGuard } from "./root-user.js";

it.each(["1", "true", "yes", "on", " TRUE ", "On\n"])("takes %j for yes", (text) => {
  expect(isYes(text)).toBe(true);
});

it.each([undefined, "", "0", "false", "no", "2", "y", "enabled"])("takes %j for no", (text) => {
  expect(isYes(text)).toBe(false);
});

const no = (): boolean => false;
const yes = (): boolean => true;
const tool = (run: Tool["run"]): Tool => ({
  listing: bundledTools({ root: "/" })[0]!.listing,
  run,
});

it("refuses for the root user, names the variable, and never runs the tool", async () => {
  const run = vi.fn<Tool["run"]>();
  const guarded = withRootUserGuard(tool(run), { isRoot: yes, allowRoot: no });
  const result = await guarded.run({});
  expect(result).toMatchObject({
    isError: true,
    structuredContent: {
      code: "ROOT_REFUSED",
      error: expect.stringContaining("POSTERN_ALLOW_ROOT_TOOLS"),
    },
  });
  expect(run).not.toHaveBeenCalled();
});

it("refuses in every bundled tool", async () => {
  const tools = bundledTools({ root: "/", isRoot: yes });
  const results = await Promise.all(tools.map((each) => each.run({})));
  expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
    tools.map(() => expect.objectContaining({ code: "ROOT_REFUSED" })),
  );
});

it("reads the variable at every call", async () => {
  const values = new Map<string, string>();
  const [listFiles] = bundledTools({
    root: "/",
    isRoot: yes,
    env: (name) => values.get(name),
  });
  const before = await listFiles?.run({});
  values.set("POSTERN_ALLOW_ROOT_TOOLS", " Yes ");
  const after = await listFiles?.run({});
  expect([before?.isError, after?.isError]).toEqual([true, undefined]);
});

it("does not ask for the variable when the user is not root", async () => {
  const guard = { isRoot: no, allowRoot: no };
  const done = textResult("done");
  expect(
    await withRootUserGuard(
      tool(() => Promise.resolve(done)),
      guard,
    ).run({}),
  ).toBe(done);
});

it("warns of a start as root in both cases, and only then", () => {
  expect([
    findRootWarning({ isRoot: yes, allowRoot: yes }),
    findRootWarning({ isRoot: yes, allowRoot: no }),
    findRootWarning({ isRoot: no, allowRoot: no }),
  ]).toEqual([
    expect.stringContaining("all its rights"),
    expect.stringContaining("refuse"),
    undefined,
  ]);
});
