import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createCallContext, isJsonObject, type JsonObject } from "@postern/tool";
import { openFolder, type Folder } from "@postern/test-kit";
import { fileTools } from "../bundled-tools.js";

async function read(folder: Folder, args: JsonObject): Promise<JsonObject> {
  const tool = fileTools({ root: folder.path, allowRoot: true })[1];
  const result = await tool?.run(args);
  const answer = result?.structuredContent;
  return isJsonObject(answer) ? answer : {};
}

/** Reads a file of this content. */
async function readContent(
  content: string | Uint8Array,
  args: JsonObject = {},
): Promise<JsonObject> {
  await using folder = await openFolder();
  await writeFile(folder.join("file.txt"), content);
  return read(folder, { path: "file.txt", ...args });
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

it("reads a file with line numbers", async () => {
  expect(await readContent("one\ntwo\n")).toEqual({
    path: "file.txt",
    content: "1: one\n2: two",
    line_start: 1,
    line_end: 2,
    total_lines: 2,
    truncated: false,
    next_offset: null,
    next_char_offset: 0,
    note: "",
    nearby: [],
    error: "",
  });
});

it("reads the bare text without line numbers", async () => {
  expect(await readContent("one\r\ntwo\r", { line_numbers: false })).toMatchObject({
    content: "one\ntwo",
  });
});

it("reads 500 lines unless told otherwise, and says where to go on", async () => {
  expect(await readContent(lines(501))).toMatchObject({
    line_start: 1,
    line_end: 500,
    total_lines: null,
    truncated: true,
    next_offset: 501,
    next_char_offset: 0,
    note: expect.stringContaining("offset 501"),
    error: "",
  });
});

it("goes on without a gap or an overlap", async () => {
  expect(await readContent(lines(501), { offset: 501 })).toMatchObject({
    content: "501: line 501",
    line_start: 501,
    line_end: 501,
    total_lines: 501,
    truncated: false,
  });
});

it("reads on to the end for a limit of null, but never more than a page", async () => {
  const short = await readContent(lines(1_000), { limit: null });
  const long = await readContent(lines(10_000), { limit: null });
  expect([short, long]).toMatchObject([
    { line_end: 1_000, total_lines: 1_000, truncated: false },
    { total_lines: null, truncated: true },
  ]);
  expect((long["content"] as string).length).toBeLessThanOrEqual(20_000);
  expect(long["next_offset"]).toBe(Number(long["line_end"]) + 1);
});

it.each([0, -5])("reads one line for a limit of %d", async (limit) => {
  expect(await readContent(lines(3), { limit })).toMatchObject({ line_end: 1, next_offset: 2 });
});

it("takes a null for not given, except where null has a meaning", async () => {
  const args = { offset: null, char_offset: null, line_numbers: null, limit: null };
  expect(await readContent(lines(600), args)).toMatchObject({ line_end: 600 });
});

it("pages a line that is longer than a page", async () => {
  const line = "x".repeat(45_000);
  const first = await readContent(line);
  const second = await readContent(line, {
    offset: 1,
    char_offset: first["next_char_offset"] ?? 0,
  });
  expect([first, second]).toMatchObject([
    { line_end: 1, truncated: true, next_offset: 1, next_char_offset: 19_997, total_lines: null },
    { line_end: 1, truncated: true, next_offset: 1, next_char_offset: 39_994 },
  ]);
  expect(first["note"]).toContain("offset 1 and char_offset 19997");
});

it("says that an offset is past the end", async () => {
  expect(await readContent(lines(3), { offset: 10 })).toMatchObject({
    content: "",
    line_start: 10,
    line_end: 9,
    total_lines: 3,
    truncated: false,
    note: "Offset 10 is past the end: the file has 3 lines.",
    error: "",
  });
});

it("says that a character offset is past the end of its line", async () => {
  expect(await readContent("abc\n", { char_offset: 3 })).toMatchObject({
    content: "1: ",
    note: "Line 1 has only 3 characters.",
  });
});

it("says that a file is empty", async () => {
  expect(await readContent("")).toMatchObject({
    content: "",
    line_start: 1,
    line_end: 0,
    total_lines: 0,
    note: "The file is empty.",
  });
});

it("leaves out a byte order mark, and says so", async () => {
  expect(await readContent("\u{feff}one\n")).toMatchObject({
    content: "1: one",
    note: "The file begins with a byte order mark, which is left out.",
  });
});

it("keeps a byte order mark that is not at the beginning", async () => {
  expect(await readContent("a\u{feff}b", { line_numbers: false })).toMatchObject({
    content: "a\u{feff}b",
    note: "",
  });
});

it("reads a character that lies across two chunks of the file", async () => {
  const padding = `${"x".repeat(127)}\n`.repeat(511);
  const args = { offset: 512, line_numbers: false };
  for (const before of [126, 125, 124].map((count) => "x".repeat(count)))
    expect(await readContent(`${padding}${before}😀漢é\n`, args)).toMatchObject({
      content: `${before}😀漢é`,
      total_lines: 512,
    });
});

it("says that a record may go over several lines", async () => {
  await using folder = await openFolder();
  await writeFile(folder.join("data.CSV"), "a,b\n");
  expect(await read(folder, { path: "data.CSV" })).toMatchObject({
    note: "A record of this file may go over several lines.",
  });
});

it("refuses a binary file", async () => {
  expect(await readContent(Uint8Array.of(97, 10, 0))).toMatchObject({ code: "BINARY_FILE" });
});

it("refuses a NUL byte anywhere before the page's end", async () => {
  const content = `${lines(40_000)}\0\n${lines(10)}`;
  expect(await readContent(content, { offset: 40_005 })).toMatchObject({ code: "BINARY_FILE" });
});

it.each([
  { name: "a byte of Latin-1", bytes: [0x61, 0xe9, 0x62] },
  { name: "a character cut off at the end", bytes: [0x61, 0xe6, 0xbc] },
  { name: "continuation bytes alone", bytes: [0x80, 0x80, 0x80, 0x80] },
  { name: "a surrogate", bytes: [0xed, 0xa0, 0x80] },
])("refuses $name", async ({ bytes }) => {
  expect(await readContent(Uint8Array.from(bytes))).toMatchObject({
    code: "INVALID_UTF8",
    content: "",
  });
});

it("names what there is instead of a missing file", async () => {
  await using folder = await openFolder();
  await mkdir(folder.join("src"));
  await writeFile(folder.join("src", "b.ts"), "");
  await writeFile(folder.join("src", "a.ts"), "");
  expect(await read(folder, { path: "src/deeper/nope.ts" })).toEqual({
    path: "src/deeper/nope.ts",
    content: "",
    line_start: 1,
    line_end: 0,
    total_lines: null,
    truncated: false,
    next_offset: null,
    next_char_offset: 0,
    nearby: ["a.ts", "b.ts"],
    note: 'The directory "src" holds: "a.ts", "b.ts".',
    error: 'There is nothing at "src/deeper/nope.ts". List the folder to see what is there.',
    code: "PATH_NOT_FOUND",
  });
});

it("names at most 20 entries, and how many more there are", async () => {
  await using folder = await openFolder();
  execFileSync("sh", ["-c", "seq -w 1 30 | xargs touch"], { cwd: folder.path });
  const answer = await read(folder, { path: "nope" });
  expect(answer["nearby"]).toHaveLength(20);
  expect(answer["note"]).toContain('"20" and 10 more.');
});

it("names the entries of a directory that was meant to be a file", async () => {
  await using folder = await openFolder();
  await writeFile(folder.join("a"), "");
  expect(await read(folder, {})).toMatchObject({
    code: "NOT_A_FILE",
    error: 'Not a file: "." is a directory.',
    nearby: ["a"],
  });
});

it("does not wait for a FIFO", async () => {
  await using folder = await openFolder();
  execFileSync("mkfifo", [folder.join("fifo")]);
  expect(await read(folder, { path: "fifo" })).toMatchObject({
    code: "NOT_A_FILE",
    error: 'Not a file: "fifo" is a named pipe.',
    nearby: ["fifo"],
  });
});

it("reports a link that leads to itself", async () => {
  await using folder = await openFolder();
  await symlink("loop", folder.join("loop"));
  expect(await read(folder, { path: "loop" })).toMatchObject({
    code: "NOT_A_FILE",
    nearby: ["loop"],
  });
});

it("says nothing of what is around a path outside", async () => {
  await using folder = await openFolder();
  await symlink("/etc", folder.join("out"));
  const paths = ["../../etc/passwd", "/etc/passwd", "out/passwd", "out/missing"];
  const answers = await Promise.all(paths.map((path) => read(folder, { path })));
  expect(answers).toEqual(
    paths.map((path) =>
      expect.objectContaining({
        path,
        code: "PATH_OUTSIDE_ROOT",
        error: `"${path}" is outside the folder that these tools may use. Give a path inside that folder.`,
        nearby: [],
        note: "",
        content: "",
      }),
    ),
  );
});

it("refuses a path with a NUL character, and shows it harmlessly", async () => {
  await using folder = await openFolder();
  expect(await read(folder, { path: "a\0b\u{202e}" })).toMatchObject({
    code: "INVALID_PATH",
    error: '"a\\u0000b\\u202e" cannot be a path: it holds a NUL character.',
  });
});

it("refuses arguments that do not fit", async () => {
  await using folder = await openFolder();
  const refused = [{ offset: 0 }, { char_offset: -1 }, { limit: 1.5 }, { path: "" }, { lines: 3 }];
  const answers = await Promise.all(refused.map((args) => read(folder, args)));
  expect(answers).toEqual(
    refused.map(() => expect.objectContaining({ code: "INVALID_ARGUMENTS" })),
  );
});

it("stops when the call is cancelled", async () => {
  await using folder = await openFolder();
  await writeFile(folder.join("a"), "a");
  const tool = fileTools({ root: folder.path, allowRoot: true })[1];
  const context = createCallContext({ signal: AbortSignal.abort() });
  expect(await tool?.run({ path: "a" }, context)).toMatchObject({
    isError: true,
    structuredContent: { code: "CANCELLED" },
  });
});

it("reports a read that fails", async () => {
  const tool = fileTools({ root: "/proc/self", allowRoot: true })[1];
  const result = await tool?.run({ path: "mem" });
  expect(result?.structuredContent).toMatchObject({ code: "READ_FAILED" });
});
