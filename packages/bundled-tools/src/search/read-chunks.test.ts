import { open, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { expect, it } from "vitest";
import { chunkBytes, readChunks } from "./read-chunks.js";

async function readAll(content: Buffer): Promise<readonly Buffer[]> {
  await using folder = await openFolder();
  await writeFile(folder.join("file"), content);
  const file = await open(folder.join("file"));
  const parts: Buffer[] = [];
  try {
    for await (const part of readChunks(file, content.length)) parts.push(Buffer.from(part));
  } finally {
    await file.close();
  }
  return parts;
}

it.each([0, 1, 2, 3])("breaks no character, shifted by %i bytes", async (shift) => {
  const content = Buffer.from("x".repeat(shift) + "é中😀".repeat(300_000));
  const parts = await readAll(content);
  expect(parts.length).toBeGreaterThan(2);
  expect(Buffer.concat(parts).equals(content)).toBe(true);
  expect(parts.some((part) => part.toString().includes("\ufffd"))).toBe(false);
});

it("breaks no CRLF, and gives all bytes that are no characters", async () => {
  const content = Buffer.concat([
    Buffer.alloc(chunkBytes - 1, "x"),
    Buffer.from("\r\n\xe9\xf0\x9f\r", "latin1"),
  ]);
  const parts = await readAll(content);
  expect(Buffer.concat(parts).equals(content)).toBe(true);
  expect(parts.filter((part) => part.at(-1) === 13)).toEqual([
    parts.findLast((part) => part.length > 0),
  ]);
});

it.each(["utf16le", "utf-8"] as const)("leaves out the mark of %s", async (encoding) => {
  const parts = await readAll(Buffer.from("\ufeffé\n".repeat(1), encoding as BufferEncoding));
  expect(Buffer.concat(parts).toString()).toBe("é\n");
});
