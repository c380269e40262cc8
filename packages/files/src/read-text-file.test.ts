import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { readTextFile } from "./index.js";

describe("readTextFile", () => {
  it("gives the text as it is, with its byte order mark", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), "\uFEFFhé\r\n");
    expect(await readTextFile(folder.join("a"))).toBe("\uFEFFhé\r\n");
  });

  it("gives undefined for a missing file and a missing folder", async () => {
    await using folder = await openFolder();
    expect(await readTextFile(folder.join("a"))).toBeUndefined();
    expect(await readTextFile(folder.join("no", "a"))).toBeUndefined();
  });

  it("refuses bytes that are not UTF-8", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), Uint8Array.of(0x61, 0xff));
    await expect(readTextFile(folder.join("a"))).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: expect.stringContaining("not UTF-8"),
    });
  });

  it("refuses a file that is longer than allowed", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a"), "12345");
    expect(await readTextFile(folder.join("a"), { maxBytes: 5 })).toBe("12345");
    await expect(readTextFile(folder.join("a"), { maxBytes: 4 })).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
    });
  });

  it("refuses a folder, and what lies below a file", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("b"));
    await writeFile(folder.join("a"), "");
    for (const path of [folder.join("b"), folder.join("a", "c")])
      await expect(readTextFile(path)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("does not wait for the writer of a named pipe", async () => {
    await using folder = await openFolder();
    execFileSync("mkfifo", [folder.join("pipe")]);
    await expect(readTextFile(folder.join("pipe"))).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
    });
  });
});
