import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { expect, it } from "vitest";
import { createRootFolder } from "../files/root-folder.js";
import { openForWriting, type WritePlace } from "../files/write-place.js";
import { saveContent } from "./save-text.js";

const before = Buffer.from("before");
const content = Buffer.from("mine");

it.each([
  { how: "in place", change: (path: string) => writeFile(path, "theirs") },
  {
    how: "by a rename",
    change: async (path: string) => {
      await writeFile(`${path}.new`, "theirs");
      await rename(`${path}.new`, path);
    },
  },
])("leaves a file alone that someone changed $how since it was read", async ({ change }) => {
  await using folder = await openFolder();
  await writeFile(folder.join("f"), before);
  await using place = await openForWriting(createRootFolder(folder.path), "f");
  await change(folder.join("f"));
  await expect(saveContent(place, { before, content }, "f")).rejects.toMatchObject({
    code: "FILE_CHANGED",
  });
  expect(await readFile(folder.join("f"), "utf8")).toBe("theirs");
  expect(await readdir(folder.path)).toEqual(["f"]);
});

it("leaves a file alone that someone made meanwhile", async () => {
  await using folder = await openFolder();
  await using place = await openForWriting(createRootFolder(folder.path), "f");
  await writeFile(folder.join("f"), "theirs");
  await expect(saveContent(place, { before: undefined, content }, "f")).rejects.toMatchObject({
    code: "FILE_CHANGED",
  });
  expect(await readFile(folder.join("f"), "utf8")).toBe("theirs");
});

const refuse = () => Promise.reject(Object.assign(new TypeError(), { code: "ENOSPC" }));

it("says why the system does not take it, and leaves the file as it was", async () => {
  await using folder = await openFolder();
  await writeFile(folder.join("f"), before);
  await using place = await openForWriting(createRootFolder(folder.path), "f");
  const full: WritePlace = {
    ...place,
    async createDraft() {
      const draft = await place.createDraft();
      return {
        ...draft,
        file: Object.assign(Object.create(draft.file), { writeFile: refuse }) as never,
      };
    },
  };
  await expect(saveContent(full, { before, content }, "f")).rejects.toMatchObject({
    code: "WRITE_FAILED",
    message: expect.stringContaining("ENOSPC"),
  });
  expect(await readFile(folder.join("f"), "utf8")).toBe("before");
  expect(await readdir(folder.path)).toEqual(["f"]);
});
