import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { hasTerminal, openBench, type Bench, type Ended } from "../test/built-program.js";

interface Stage extends Bench {
  /** A file outside the project. */
  readonly outside: string;
  /** Calls `bundled_read_file` for it on a terminal, where something is typed. */
  read(typed: string, path?: string): Promise<Ended>;
}

async function openStage(): Promise<Stage> {
  const bench = await openBench({ bundled: true, env: { POSTERN_ALLOW_ROOT_TOOLS: "1" } });
  const folder = join(dirname(bench.project), "out");
  await mkdir(folder);
  for (const name of ["a.txt", "b.txt"])
    await writeFile(join(folder, name), `content of ${name}\n`);
  const outside = join(folder, "a.txt");
  return {
    ...bench,
    outside,
    read: (typed, path = "../out/a.txt") =>
      bench.runOnTerminal(["call", "bundled_read_file", `path=${path}`], { typed }),
  };
}

test
  .runIf(hasTerminal)
  .concurrent(
    "on a terminal the owner is shown the tool, the path, its spelling, the reason and how sure it is",
    async () => {
      await using stage = await openStage();
      const { code, stdout, stderr } = await stage.read("d\n");
      expect([code, stdout]).toEqual([4, ""]);
      for (const shown of [
        'The tool "bundled_read_file" wants to use a path that needs consent:',
        `1. "${stage.outside}": a file outside the project; written "../out/a.txt", in "path", which the tool declares as a path.`,
        "o   allow for this call",
        "af  its whole folder, always, in this project",
        "needs the owner's consent",
      ])
        expect(stderr.replaceAll("\r\n", "\n")).toContain(shown);
    },
  );

test.runIf(hasTerminal).concurrent.each([
  ["o", true],
  ["once", true],
  ["S", true],
  ["a", true],
  ["sf", true],
  ["af", true],
  ["d", false],
  ["ds", false],
  ["what?\nnothing\nno", false],
  ["what?\no", true],
])("%j typed by the owner lets the content out: %s", async (typed, isRead) => {
  await using stage = await openStage();
  const { code, stdout } = await stage.read(`${typed}\n`);
  expect([code, stdout.includes("content of a.txt")]).toEqual([isRead ? 0 : 4, isRead]);
});

test
  .runIf(hasTerminal)
  .concurrent("always counts in later runs, is listed and is revoked", async () => {
    await using stage = await openStage();
    await stage.read("a\n");
    const read = ["call", "bundled_read_file", `path=${stage.outside}`];
    expect((await stage.run(...read)).stdout).toContain("content of a.txt");
    expect((await stage.run(...read.with(2, "path=../out/b.txt"))).code).toBe(4);
    expect((await stage.json("consent", "list")).answer).toEqual({
      root: stage.project,
      consents: [
        {
          path: stage.outside,
          covers: "file",
          tool: "bundled_read_file",
          at: expect.any(Number) as number,
        },
      ],
    });
    expect((await stage.run("consent", "list")).stdout).toContain(stage.outside);
    expect((await stage.run("consent", "revoke", "../out/a.txt")).code).toBe(0);
    expect(await stage.json("consent", "revoke", stage.outside)).toMatchObject({
      code: 4,
      answer: { error: "NO_CONSENT" },
    });
    expect((await stage.run(...read)).code).toBe(4);
    expect((await stage.run("consent", "list")).stdout).toContain("Nothing is allowed beyond");
  });

test.concurrent("piped it denies at once, with the reason", async () => {
  await using stage = await openStage();
  const { code, stdout, stderr } = await stage.run(
    "call",
    "bundled_read_file",
    "path=../out/a.txt",
  );
  expect([code, stdout]).toEqual([4, ""]);
  expect(stderr).toContain(
    `needs the owner's consent for "${stage.outside}", and nobody allowed it`,
  );
  expect(await stage.json("call", "bundled_read_file", "path=../out/a.txt")).toMatchObject({
    code: 4,
    answer: { error: "PATH_DENIED" },
  });
});

test
  .runIf(hasTerminal)
  .concurrent("a broken file of consents stops the call, and stays", async () => {
    await using stage = await openStage();
    await stage.read("a\n");
    const { answer } = await stage.json("consent", "list");
    expect(answer).toMatchObject({ consents: [{ covers: "file" }] });
    const [name = ""] = await readdir(join(stage.home, "consents"));
    await stage.write(`home/consents/${name}`, "{");
    expect((await stage.run("call", "bundled_read_file", `path=${stage.outside}`)).code).not.toBe(
      0,
    );
    expect(await readFile(join(stage.home, "consents", name), "utf8")).toBe("{");
  });
