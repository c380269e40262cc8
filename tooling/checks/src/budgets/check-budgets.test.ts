import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openRepository, toManifest, type Files } from "../fixture/repository.js";
import { checkBudgets } from "./check-budgets.mjs";
import { writeCopies } from "./sync.mjs";

const example = 'import { go } from "@postern/a";\nconsole.log(go);\n';
const readme = (code = example): string =>
  `# @postern/a

Goes.

## Install

## Example

<!-- example: go.ts -->

\`\`\`ts
${code}\`\`\`

## Exports

| Name | What |
| --- | --- |
| \`go\` | Goes. |

## Errors

| Code | When | What to do |
| --- | --- | --- |
| \`GONE\` | It went. | Wait. |

## Limits
`;
const errorsPage = (rows = "| `GONE` | It went. | Wait. |"): string =>
  `# Errors\n\n## @postern/a\n\n| Code | When | What to do |\n| --- | --- | --- |\n${rows}\n`;
const inOrder: Files = {
  ".changeset/a.md": '---\n"@postern/a": minor\n---\n\nAdded a.\n',
  "docs/errors.md": errorsPage(),
  "packages/a/package.json": toManifest("@postern/a"),
  "packages/a/README.md": readme(),
  "packages/a/examples/go.ts": example,
  "packages/a/src/index.ts":
    'export { go } from "./go.js";\nexport type { Going } from "./go.js";\n',
  "packages/a/src/go.ts":
    "/** Goes. */\nexport const go = 1;\n/** How. */\nexport interface Going {\n  /** Where. */\n  to: string;\n}\n",
  "packages/a/src/errors.ts":
    "export const aErrors = defineErrors({ GONE: (data: { at: string }) => `${data.at} went.` });",
  "packages/a/src/errors.test.ts": 'expect(code).toBe("GONE");',
  "packages/a/src/exports.test.ts": 'import("./index.js"); ["go"];',
};

/** What is found once these files are changed. */
async function check(files: Files): Promise<readonly string[]> {
  await using repository = await openRepository({ ...inOrder, ...files });
  return checkBudgets(repository.path);
}

it("finds nothing in a repository in order", async () => {
  expect(await check({})).toEqual([]);
});

it("does not pass on a folder without sources", async () => {
  await using repository = await openRepository({});
  expect(checkBudgets(repository.path)).toEqual(["budgets: no source file was found"]);
});

describe("code", () => {
  const at = "packages/a/src/b.ts:1:";
  const waits = "a library must not await at its top level";
  it.for([
    ["throw new Error('x');", `${at} a bare Error; add a code to src/errors.ts`],
    ["throw TypeError('x');", `${at} a bare TypeError; add a code to src/errors.ts`],
    [
      "void Promise.reject(new RangeError('x'));",
      `${at} a bare RangeError; add a code to src/errors.ts`,
    ],
    ["// TODO: more", `${at} TODO without an issue number`],
    ["/* FIXME later */", `${at} FIXME without an issue number`],
    [
      "// oxlint-disable-next-line no-console",
      `${at} a silenced lint rule gives its reason after \` -- \``,
    ],
    ["await go();", `${at} ${waits}`],
    ["for await (const each of all) use(each);", `${at} ${waits}`],
    ["export const b = defineErrors({});", `${at} a table of errors belongs in a file errors.ts`],
  ] as const)("finds %s", async ([code, problem]) => {
    expect(await check({ "packages/a/src/b.ts": code })).toEqual([problem]);
  });

  it.for(["utils", "helpers", "common", "lib"])("finds a folder called %s", async (folder) => {
    expect(await check({ [`packages/a/src/${folder}/b.ts`]: "" })).toEqual([
      `packages/a/src/${folder}/b.ts: a folder called ${folder} says nothing; name the stage or the thing`,
    ]);
  });

  it.for([
    "// TODO(#12): more",
    "// oxlint-disable-next-line no-console -- the only line that a user sees",
    "export const b = async () => { await go(); };",
  ])("lets %s be", async (code) => {
    expect(await check({ "packages/a/src/b.ts": code })).toEqual([]);
  });
});

describe("doc comments", () => {
  it("finds an undocumented export in the file that declares it", async () => {
    expect(
      await check({
        "packages/a/src/go.ts":
          'export { go } from "./went.js";\n/** How. */\nexport interface Going {}\n',
        "packages/a/src/went.ts": "export const other = 2;\nexport const go = 1;\n",
      }),
    ).toEqual(["packages/a/src/went.ts:2: go is exported without a doc comment"]);
  });

  it("finds an undocumented member of an exported interface", async () => {
    expect(
      await check({
        "packages/a/src/go.ts":
          "/** Goes. */\nexport const go = 1;\n/** How. */\nexport interface Going {\n  to: string;\n}\n",
      }),
    ).toEqual(["packages/a/src/go.ts:5: Going.to has no doc comment"]);
  });

  it("finds an undocumented method of an exported class, and leaves private ones alone", async () => {
    expect(
      await check({
        "packages/a/src/go.ts":
          "/** Goes. */\nexport class go {\n  #far = 1;\n  protected near = 2;\n  run() {}\n}\n/** How. */\nexport type Going = 1;\n",
      }),
    ).toEqual(["packages/a/src/go.ts:5: go.run has no doc comment"]);
  });

  it("finds an entry point that exports everything, and one that declares", async () => {
    const problems = await check({
      "packages/a/src/index.ts":
        'export { go } from "./go.js";\nexport * from "./go.js";\n/** B. */\nexport const b = 1;\n',
    });
    expect(problems).toEqual([
      "packages/a/src/index.ts:2: an entry point names its exports, `export *` does not",
      "packages/a/src/index.ts:4: an index.ts only names exports, and declares none",
    ]);
  });
});

describe("packages", () => {
  it("finds a package without a changeset", async () => {
    expect(await check({ ".changeset/a.md": undefined })).toEqual([
      "packages/a: no changeset names @postern/a, and there is no CHANGELOG.md",
    ]);
  });

  it("takes a changelog for a changeset", async () => {
    const files = { ".changeset/a.md": undefined, "packages/a/CHANGELOG.md": "# a" };
    expect(await check(files)).toEqual([]);
  });

  it("finds a package without a test of its exports", async () => {
    expect(await check({ "packages/a/src/exports.test.ts": undefined })).toEqual([
      "packages/a/src/index.ts: no exports.test.ts lists what it exports",
    ]);
  });

  it("finds an export that the test does not list", async () => {
    expect(await check({ "packages/a/src/exports.test.ts": 'import("./index.js");' })).toEqual([
      "packages/a/src/index.ts: exports.test.ts does not list go",
    ]);
  });

  it("asks nothing of a private package", async () => {
    const manifest = toManifest("@postern/a", { private: true });
    const files = {
      "packages/a/package.json": manifest,
      "packages/a/README.md": undefined,
      "docs/errors.md": undefined,
    };
    expect(await check(files)).toEqual([]);
  });
});

describe("README", () => {
  const at = "packages/a/README.md:";
  it.for([
    ["no file", undefined, `${at} missing`],
    [
      "a missing section",
      readme().replace("## Limits", "## Bounds"),
      `${at} no section "## Limits"`,
    ],
    [
      "sections out of order",
      readme().replace("## Install\n\n", "").replace("## Limits", "## Limits\n\n## Install"),
      `${at} the order of sections is Install, Example, Exports, Errors, Limits`,
    ],
    [
      "an export that is not named",
      readme("").replace("`go`", "`gone`").replace("example: go.ts", "example: a.ts"),
      `${at} does not name the export go`,
    ],
    [
      "an example that differs",
      readme(example.replace("console.log", "console.info")),
      `${at} example go.ts differs from examples/go.ts; run node tooling/checks/sync.mjs`,
    ],
    [
      "an example without a fence",
      readme().replace("```ts\nimport", "```js\nimport"),
      `${at} an example comment is not followed by a \`\`\`ts fence`,
    ],
    [
      "an error without a remedy",
      readme().replace("| Wait. |", "| |"),
      `${at} GONE does not say when, and what to do`,
    ],
  ] as const)("finds %s", async ([, text, problem]) => {
    expect(await check({ "packages/a/README.md": text })).toContain(problem);
  });

  it("finds an error that its table lacks", async () => {
    const text = readme().replace("| `GONE` | It went. | Wait. |\n", "");
    expect(await check({ "packages/a/README.md": text })).toContain(
      `${at} the table of errors lacks GONE`,
    );
  });

  it("finds a package without examples", async () => {
    expect(await check({ "packages/a/examples/go.ts": undefined })).toContain(
      `${at} there is no examples/*.ts`,
    );
  });
});

describe("errors", () => {
  const at = "docs/errors.md:";
  const remedy = "; run node tooling/checks/sync.mjs";
  it("finds a code that the page lacks", async () => {
    expect(await check({ "docs/errors.md": errorsPage("") })).toEqual([
      `${at} lacks GONE of @postern/a${remedy}`,
    ]);
  });

  it("finds a code on the page that no code has", async () => {
    const rows = "| `GONE` | It went. | Wait. |\n| `LOST` | It went. | Wait. |";
    expect(await check({ "docs/errors.md": errorsPage(rows) })).toEqual([
      `${at} LOST is not in the code of @postern/a${remedy}`,
    ]);
  });

  it("finds a row that the README words otherwise", async () => {
    expect(await check({ "docs/errors.md": errorsPage("| `GONE` | It left. | Wait. |") })).toEqual([
      `${at} GONE is worded otherwise in the README of @postern/a${remedy}`,
    ]);
  });

  it("finds the section of a package that is not there", async () => {
    expect(await check({ "docs/errors.md": `${errorsPage()}\n## @postern/b\n` })).toEqual([
      `${at} there is no package @postern/b${remedy}`,
    ]);
  });

  it("finds a code that no test produces", async () => {
    expect(await check({ "packages/a/src/errors.test.ts": "" })).toEqual([
      "packages/a: no test produces GONE",
    ]);
  });
});

describe("sync", () => {
  it("writes the page of errors and the quoted example anew, once", async () => {
    await using repository = await openRepository({
      ...inOrder,
      "docs/errors.md": "# Errors\n\nKept.\n",
      "packages/a/README.md": readme("old();\n"),
    });
    expect(writeCopies(repository.path)).toEqual(["packages/a/README.md", "docs/errors.md"]);
    expect(await readFile(repository.join("docs/errors.md"), "utf8")).toBe(
      errorsPage().replace("# Errors\n", "# Errors\n\nKept.\n"),
    );
    expect(await readFile(repository.join("packages/a/README.md"), "utf8")).toBe(readme());
    expect(writeCopies(repository.path)).toEqual([]);
  });

  it("writes the message where the README has no row", async () => {
    await using repository = await openRepository({
      ...inOrder,
      "packages/a/README.md": "# a\n",
    });
    expect(writeCopies(repository.path)).toEqual(["docs/errors.md"]);
    expect(await readFile(repository.join("docs/errors.md"), "utf8")).toBe(
      errorsPage("| `GONE` | … went. |  |"),
    );
  });
});
