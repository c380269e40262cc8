import { describe, expect, it } from "vitest";
import { parsePsOutput, parseStatLine, readProcessTable } from "./process-table.js";

const rest = (count: number): string => Array.from({ length: count }, () => "0").join(" ");

describe("parseStatLine", () => {
  it("reads a process whose name looks like more fields", () => {
    const line = `42 (a) S 1 2 (b) Z 7 8 9 ${rest(15)} 12345 ${rest(10)}`;
    expect(parseStatLine(line)).toEqual({
      pid: 42,
      parent: 7,
      group: 8,
      session: 9,
      start: "12345",
      ended: true,
    });
  });

  it.each(["", "42 name S 1", "42 (name) S 1 2 3"])("gives undefined for %j", (line) => {
    expect(parseStatLine(line)).toBeUndefined();
  });
});

describe("parsePsOutput", () => {
  it("reads each line of its form", () => {
    const output =
      "    1     0     1 Ss   Mon Nov 30 22:30:01 2026\n  77     1    70 Z+   Mon Nov  3 02:30:01 2026\nbroken\n";
    expect(parsePsOutput(output)).toEqual([
      { pid: 1, parent: 0, group: 1, session: 1, start: "Mon Nov 30 22:30:01 2026", ended: false },
      {
        pid: 77,
        parent: 1,
        group: 70,
        session: 70,
        start: "Mon Nov  3 02:30:01 2026",
        ended: true,
      },
    ]);
  });
});

describe("readProcessTable", () => {
  it("has this process and its parent", async () => {
    const rows = await readProcessTable();
    expect(rows.find((row) => row.pid === process.pid)).toMatchObject({
      parent: process.ppid,
      ended: false,
    });
    expect(rows.some((row) => row.pid === process.ppid)).toBe(true);
  });
});
