import { execFileSync } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { openAppendFile } from "./index.js";

describe("openAppendFile", () => {
  it("creates a file of mode 0600 and keeps the order of its lines", async () => {
    await using folder = await openFolder();
    await using file = await openAppendFile(folder.join("log"));
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index} é`);
    await Promise.all(lines.map((line, index) => file.append(line, { durable: index % 7 === 0 })));
    expect(await readFile(folder.join("log"), "utf8")).toBe(`${lines.join("\n")}\n`);
    expect((await stat(folder.join("log"))).mode & 0o777).toBe(0o600);
  });

  it("has a line in the file by the time it resolves", async () => {
    await using folder = await openFolder();
    await using file = await openAppendFile(folder.join("log"), { durable: true });
    await file.append("one");
    expect(await readFile(folder.join("log"), "utf8")).toBe("one\n");
    await file.append("two", { durable: false });
    expect(await readFile(folder.join("log"), "utf8")).toBe("one\ntwo\n");
  });

  it("goes on after what is there, also after a line that was cut short", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("log"), "whole\nto");
    const file = await openAppendFile(folder.join("log"));
    await file.append("new");
    await file.close();
    const again = await openAppendFile(folder.join("log"));
    await again.append("newer");
    await again.close();
    expect(await readFile(folder.join("log"), "utf8")).toBe("whole\nto\nnew\nnewer\n");
  });

  it("keeps whole what two writers append at once", async () => {
    await using folder = await openFolder();
    await using file = await openAppendFile(folder.join("log"));
    await using other = await openAppendFile(folder.join("log"));
    const writes = Array.from({ length: 50 }, (_, index) => [
      file.append(`a${index}`),
      other.append(`b${index}`),
    ]);
    await Promise.all(writes.flat());
    const lines = (await readFile(folder.join("log"), "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength(100);
    expect(lines.every((line) => /^[ab]\d+$/.test(line))).toBe(true);
  });

  it("writes what waits when it is closed, and takes nothing more", async () => {
    await using folder = await openFolder();
    const file = await openAppendFile(folder.join("log"));
    const written = file.append("last", { durable: true });
    await Promise.all([file.close(), file.close()]);
    await written;
    expect(await readFile(folder.join("log"), "utf8")).toBe("last\n");
    await expect(file.append("late")).rejects.toMatchObject({ code: "FILE_CLOSED" });
  });

  it("refuses a line that is two", async () => {
    await using folder = await openFolder();
    await using file = await openAppendFile(folder.join("log"));
    await expect(file.append("a\nb")).rejects.toMatchObject({ code: "LINE_BREAK" });
    expect(await readFile(folder.join("log"), "utf8")).toBe("");
  });

  it("refuses what is no regular file, without waiting for a reader", async () => {
    await using folder = await openFolder();
    execFileSync("mkfifo", [folder.join("pipe")]);
    for (const path of [folder.join("pipe"), "/dev/full", folder.path, folder.join("no", "log")])
      await expect(openAppendFile(path)).rejects.toMatchObject({ code: "FILE_UNWRITABLE" });
  });
});
