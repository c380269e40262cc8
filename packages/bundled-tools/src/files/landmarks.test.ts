import { appendFile, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { expect, it } from "vitest";
import { bundledTools } from "../bundled-tools.js";
import { createLandmarks } from "./landmarks.js";

const stats = (size: number) =>
  ({ dev: 1, ino: 1, size, mtimeMs: 1, ctimeMs: 1 }) as Parameters<
    ReturnType<typeof createLandmarks>["find"]
  >[0]["stats"];

it("finds the nearest line before the wanted one, and nothing of a file that changed", () => {
  const landmarks = createLandmarks();
  landmarks.add(
    { realPath: "/a", stats: stats(9) },
    [
      { line: 100, position: 900 },
      { line: 50, position: 400 },
    ],
    true,
  );
  expect(landmarks.find({ realPath: "/a", stats: stats(9) }, 99)).toEqual({
    line: 50,
    position: 400,
    hasBom: true,
  });
  expect(landmarks.find({ realPath: "/a", stats: stats(9) }, 49)).toEqual({
    line: 1,
    position: 0,
    hasBom: false,
  });
  expect(landmarks.find({ realPath: "/a", stats: stats(10) }, 99)).toEqual({
    line: 1,
    position: 0,
    hasBom: false,
  });
});

it("remembers 32 files", () => {
  const landmarks = createLandmarks();
  for (let file = 0; file < 33; file += 1)
    landmarks.add({ realPath: `/${file}`, stats: stats(9) }, [{ line: 2, position: 5 }], false);
  expect(
    [0, 1, 32].map((file) => landmarks.find({ realPath: `/${file}`, stats: stats(9) }, 3).line),
  ).toEqual([1, 2, 2]);
});

it("reads a file that grew or was rewritten anew", async () => {
  await using folder = await openFolder();
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}`);
  await writeFile(folder.join("f"), `\ufeff${lines.join("\n")}\n`);
  const readFile = bundledTools({ root: folder.path, allowRoot: true }).find(
    ({ listing }) => listing.name === "read_file",
  );
  const read = async (offset: number) =>
    (
      (await readFile!.run({ path: "f", offset, limit: 1 })).structuredContent as {
        content: string;
      }
    ).content;
  expect([await read(1_500), await read(1_501)]).toEqual(["1500: line 1500", "1501: line 1501"]);
  await appendFile(folder.join("f"), "more\n");
  expect(await read(2_001)).toBe("2001: more");
  await writeFile(folder.join("f"), `first\n${lines.join("\n")}\nmore\n`);
  expect(await read(1_501)).toBe("1501: line 1500");
});
