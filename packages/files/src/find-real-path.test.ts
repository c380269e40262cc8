import { mkdir, symlink } from "node:fs/promises";
import { expect, it } from "vitest";
import { openFolder } from "@postern/test-kit";
import { findRealPath } from "./find-real-path.js";

it("finds where a path with missing parts would lie", async () => {
  await using folder = await openFolder();
  await mkdir(folder.join("a"));
  await symlink("a", folder.join("relative"));
  await symlink(folder.join("gone/away"), folder.join("absolute"));
  await symlink("../a", folder.join("a", "up"));
  const paths = ["relative/x/y", "absolute/z", "a/up/up/q", "a/up/../r", "plain"];
  expect(await Promise.all(paths.map((path) => findRealPath(`${folder.path}/${path}`)))).toEqual(
    ["a/x/y", "gone/away/z", "a/q", "r", "plain"].map((path) => folder.join(path)),
  );
});

it("ends where a loop of links is given up", async () => {
  await using folder = await openFolder();
  await symlink("two", folder.join("one"));
  await symlink("one", folder.join("two"));
  expect(await findRealPath(`${folder.path}/one/x`)).toMatch(/\/(one|two)$/);
});
