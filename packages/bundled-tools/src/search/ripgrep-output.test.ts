import { expect, it } from "vitest";
import { createRipgrepOutput } from "./ripgrep-output.js";

function read(written: string, chunkBytes: number): unknown {
  const output = createRipgrepOutput(100);
  const bytes = Buffer.from(written);
  for (let at = 0; at < bytes.length; at += chunkBytes)
    output.push(bytes.subarray(at, at + chunkBytes));
  return output.finish();
}

const found = '(found "\\0" byte around offset 12)';
const text = [
  "./b\u00002:x",
  "./b\u00003:",
  "./c\u00001:x",
  `./c: binary file matches ${found}`,
  "./a",
  "b\u00001:x",
  "./d\u00009:x",
  `./d: WARNING: stopped searching binary file after match ${found}`,
  "",
].join("\n");

it.each([1, 7, 10_000])("reads what ripgrep writes, %i bytes at a time", (chunkBytes) => {
  expect(read(text, chunkBytes)).toEqual([
    { path: "b", lines: [2, 3], count: 2 },
    { path: "a\nb", lines: [1], count: 1 },
  ]);
});
