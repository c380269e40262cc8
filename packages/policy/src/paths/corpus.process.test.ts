import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { openFolder, type Folder } from "@postern/test-kit";
import type { JsonObject, JsonValue } from "@postern/tool";
import { array, assert, asyncProperty, constantFrom, tuple } from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import honest from "../../fixtures/corpus/honest.json" with { type: "json" };
import hostile from "../../fixtures/corpus/hostile.json" with { type: "json" };
import { findMatches, toRealPath } from "../consent.js";
import { checkPaths } from "./check-paths.js";
import { findPathMentions } from "./path-mentions.js";
import { createSensitiveNames } from "./sensitive-names.js";

/** What a bundled tool declares; other tools declare what their entry says. */
const declared: Readonly<Record<string, readonly string[]>> = {
  read_file: ["path"],
  write_file: ["path"],
  edit_file: ["path"],
  list_files: ["path"],
  find_files: ["path"],
  grep: ["path"],
  download_file: ["path"],
  run_command: ["working_directory"],
};
const files = [
  "package.json",
  "README.md",
  "src/index.ts",
  "src/app.ts",
  "src/util/text.ts",
  "test/app.test.ts",
  "scripts/build.sh",
  "data/list.csv",
  ".git/HEAD",
  "node_modules/x/index.js",
  "dist/a.js",
  "my file.txt",
  ".env",
  ".env.local",
  "config/credentials.json",
  "certs/server.key",
];

interface Entry {
  readonly tool: string;
  readonly arguments: unknown;
  readonly declared?: readonly string[];
}

let folder: Folder;
const isSensitive = createSensitiveNames();

beforeAll(async () => {
  folder = await openFolder();
  for (const name of ["home/dev", "outside"]) await mkdir(folder.join(name), { recursive: true });
  for (const name of files) {
    const path = folder.join("project", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
  }
  const links = {
    "link-out": folder.join("outside"),
    "link-etc": "/etc",
    "link-src": "src",
    "src/loop": "loop",
    "link-env": ".env",
  };
  for (const [name, target] of Object.entries(links))
    await symlink(target, folder.join("project", name));
});
afterAll(() => folder[Symbol.asyncDispose]());

async function isAsked({ tool, arguments: args, declared: own }: Entry): Promise<boolean> {
  const mentions = findPathMentions(
    { checkpaths: own ?? declared[tool] ?? [] },
    fill(args as JsonObject) as JsonObject,
  );
  const requests = await checkPaths(mentions, {
    root: folder.join("project"),
    home: folder.join("home/dev"),
    isSensitive,
    canAsk: true,
    toRealPath,
    findMatches,
  });
  return requests.length > 0;
}

/** Puts the folders of this run in the places of their names. */
function fill(value: JsonValue): JsonValue {
  if (typeof value === "string")
    return value
      .replaceAll("{root}", folder.join("project"))
      .replaceAll("{home}", folder.join("home/dev"))
      .replaceAll("{outside}", folder.join("outside"));
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(fill);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(
    entries.map(([key, member]) => [fill(key) as string, fill(member ?? null)]),
  );
}

it(`lets none of ${hostile.length} hostile calls through unasked`, async () => {
  const passed = [];
  for (const entry of hostile as readonly Entry[]) if (!(await isAsked(entry))) passed.push(entry);
  expect(passed).toEqual([]);
});

it(`asks about less than 2 % of ${honest.length} honest calls`, async () => {
  const asked = [];
  for (const entry of honest as readonly Entry[]) if (await isAsked(entry)) asked.push(entry);
  expect(asked.length / honest.length).toBeLessThan(0.02);
});

it("lets no spelling of a hostile path through, however it is wrapped", async () => {
  const path = constantFrom(
    "/etc/passwd",
    "../x",
    "~/.ssh/id_rsa",
    "$HOME/x",
    "${HOME}/x",
    "src/../../x",
    "link-out/x",
    "./link-etc/passwd",
    ".env",
    "certs/server.key",
    "file:///etc/passwd",
    "/e{tc,x}/passwd",
    "/e?c/passwd",
    "$(cat x)/y",
    "$UNSET/y",
    "//etc//passwd",
    "{a,/etc}/b",
  );
  const word = constantFrom(
    (text: string) => text,
    (text: string) => (/[{?$~]/.test(text) ? text : `'${text}'`),
    (text: string) => (/[{?~]/.test(text) ? text : `"${text}"`),
    (text: string) => (/^[/.]\w*[.]?[/]/.test(text) ? `--out=${text}` : text),
    (text: string) => (/^[/.]/.test(text) && !text.includes("{") ? `-o${text}` : text),
  );
  const command = constantFrom(
    (text: string) => `cat ${text}`,
    (text: string) => `tool --flag ${text} b`,
    (text: string) => `cp ${text} dist/`,
    (text: string) => `x > ${text}`,
    (text: string) => `x 2>>${text}`,
    (text: string) => `x <${text}`,
    (text: string) => `A=1 cat src/app.ts ${text}`,
    (text: string) => `tee -a ${text} < README.md`,
    (text: string) => `for f in ${text}; do cat "$f"; done`,
    (text: string) => `ls; cat ${text} | head`,
    (text: string) => `npm test && cat ${text} || true`,
  );
  const wrap = constantFrom(
    (text: string) => text,
    (text: string) => `( ${text} )`,
    (text: string) => `{ ${text}; }`,
    (text: string) => `echo "$( ${text} )"`,
    (text: string) => `if true; then ${text}; fi`,
    (text: string) => `f() { ${text}; }; f`,
    (text: string) => `bash -c ${quote(text)}`,
    (text: string) => `eval ${quote(text)}`,
    (text: string) => `sudo sh -c ${quote(text)}`,
    (text: string) => `diff <( ${text} ) README.md`,
    (text: string) => `bash <<'E'\n${text}\nE`,
    (text: string) => `cat <<E\n$( ${text} )\nE`,
    (text: string) => `trap ${quote(text)} EXIT`,
    (text: string) => `watch -n 1 ${quote(text)}`,
    (text: string) => `! ${text}`,
    (text: string) => `while ${text}; do break; done`,
    (text: string) => `case x in x) ${text};; esac`,
    (text: string) => `true \\\n && ${text}`,
  );
  const calls = tuple(path, word, command, array(wrap, { maxLength: 3 }));
  await assert(
    asyncProperty(calls, async ([spelling, toWord, toCommand, wraps]) => {
      const text = wraps.reduce((inner, each) => each(inner), toCommand(toWord(spelling)));
      expect([text, await isAsked({ tool: "run_command", arguments: { command: text } })]).toEqual([
        text,
        true,
      ]);
    }),
    { numRuns: 10_000 },
  );
}, 120_000);

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
