import { expect, it } from "vitest";
import { bundledTools } from "./bundled-tools.js";
import { findRootWarning, isYes } from "./root-user.js";

it.each(["1", "true", "yes", "on", " TRUE ", "On\n"])("takes %j for yes", (text) => {
  expect(isYes(text)).toBe(true);
});

it.each([undefined, "", "0", "false", "no", "2", "y", "enabled"])("takes %j for no", (text) => {
  expect(isYes(text)).toBe(false);
});

const no = (): boolean => false;
const yes = (): boolean => true;
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
