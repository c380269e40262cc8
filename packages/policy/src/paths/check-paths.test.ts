import { posix } from "node:path";
import { expect, it } from "vitest";
import { checkPaths, type PathGate } from "./check-paths.js";
import { findPathMentions } from "./path-mentions.js";
import { createSensitiveNames } from "./sensitive-names.js";

const directories = new Set([
  "/",
  "/etc",
  "/etc/ssl",
  "/out",
  "/work",
  "/work/sub",
  "/home/me",
  "/home",
]);
const links: Readonly<Record<string, string | undefined>> = {
  "/work/link": "/etc/passwd",
  "/work/plain": "/work/.env",
  "/alias": "/work",
  "/work/loop": undefined,
};

const base: PathGate = {
  root: "/work",
  home: "/home/me",
  isSensitive: createSensitiveNames(),
  canAsk: true,
  toRealPath: (path) => {
    const plain = path.startsWith("/work/out/..") ? path.replace("/work/out/..", "/far") : path;
    const known = posix.normalize(plain).replace(/(?<=.)\/$/, "");
    const real = Object.hasOwn(links, known) ? links[known] : known;
    const isDirectory = real !== undefined && directories.has(real);
    return Promise.resolve(real === undefined ? undefined : { path: real, isDirectory });
  },
};

const check = async (
  paths: string | readonly string[],
  gate: Partial<PathGate> = {},
): Promise<readonly string[]> => {
  const mentions = findPathMentions({ checkpaths: ["path"] }, { path: paths });
  const requests = await checkPaths(mentions, { ...base, ...gate });
  return requests.map(({ kind, path }) => `${kind} ${path}`);
};

it.each([
  { path: "a", wanted: [] },
  { path: ".", wanted: [] },
  { path: "/work", wanted: [] },
  { path: "sub/../a", wanted: [] },
  { path: "..a", wanted: [] },
  { path: "/alias/", wanted: [] },
  { path: "/etc/passwd", wanted: ["outside /etc"] },
  { path: "/etc", wanted: ["outside /etc"] },
  { path: "/etc/ssl", wanted: ["outside /etc/ssl"] },
  { path: "..", wanted: ["outside /"] },
  { path: "../x", wanted: ["outside /"] },
  { path: "sub/../../x", wanted: ["outside /"] },
  { path: "/workshop/x", wanted: ["outside /workshop"] },
  { path: "link", wanted: ["outside /etc"] },
  { path: "out/../x", wanted: ["outside /far"] },
  { path: "~/x", wanted: ["outside /home/me"] },
  { path: "~you/x", wanted: ["outside /home/you"] },
  { path: "file:///etc/passwd", wanted: ["outside /etc"] },
  { path: "https://x/etc/passwd", wanted: [] },
  { path: "loop", wanted: ["outside /work/loop"] },
  { path: ".env", wanted: ["sensitive /work/.env"] },
  { path: "sub/id_rsa", wanted: ["sensitive /work/sub/id_rsa"] },
  { path: "plain", wanted: ["sensitive /work/.env"] },
  { path: "/etc/.env", wanted: ["outside /etc"] },
])("wants $wanted for $path", async ({ path, wanted }) => {
  expect(await check(path)).toEqual(wanted);
});

it("asks once for a folder that a command mentions in several ways", async () => {
  const command = "FOO=/out/env run --out=/out/log 2>/out/err";
  const requests = await checkPaths(findPathMentions({ checkpaths: [] }, { command }), base);
  expect(requests).toEqual([
    {
      kind: "outside",
      path: "/out",
      targets: ["/out/env", "/out/log", "/out/err"].map((path) => ({
        path,
        isDirectory: false,
        mention: expect.objectContaining({ path }) as unknown,
      })),
      mentions: ["/out/env", "/out/log", "/out/err"].map((path) =>
        expect.objectContaining({ path }),
      ),
      sensitive: [],
    },
  ]);
});

it("holds a file back for its name only where someone can be asked", async () => {
  expect(await check(".env", { canAsk: false })).toEqual([]);
  expect(await check("/etc/.env", { canAsk: false })).toEqual(["outside /etc"]);
});

it("needs no more consent for what was allowed, of secrets only for the file itself", async () => {
  const allowed = ["/etc", "/work/.env"];
  expect(await check(["/etc/passwd", "/etc/ssl/x", ".env"], { allowed })).toEqual([]);
  expect(await check(["/etc/.env", "sub/.env"], { allowed })).toEqual([
    "sensitive /etc/.env",
    "sensitive /work/sub/.env",
  ]);
  expect(await check("/etc/hosts", { allowed: ["/etc/passwd"] })).toEqual(["outside /etc"]);
  expect(await check("loop", { allowed: ["/work/loop"] })).toEqual([]);
});

it("needs no consent for a file that was allowed by itself, and some for its neighbours", async () => {
  const allowedFiles = new Set(["/etc/passwd", "/work/.env"]);
  expect(await check(["/etc/passwd", ".env"], { allowedFiles })).toEqual([]);
  expect(await check(["/etc/passwd/x", "/etc/hosts"], { allowedFiles })).toEqual([
    "outside /etc",
    "outside /etc/passwd",
  ]);
});

it("begins relative paths where the tool does", async () => {
  expect(await check(["a", "../work/a"], { directory: "/home/me" })).toEqual([
    "outside /home/me",
    "outside /home/work",
  ]);
});

it("says of a folder outside which of its files usually hold secrets", async () => {
  const mentions = findPathMentions({ checkpaths: [] }, { files: ["/etc/a", "/etc/.env"] });
  expect(await checkPaths(mentions, base)).toMatchObject([
    { path: "/etc", sensitive: ["/etc/.env"] },
  ]);
});

it("tells the surest mention first", async () => {
  const args = { command: "cat /etc/a", file: "/etc/b", path: "/etc/c" };
  const [request] = await checkPaths(findPathMentions({ checkpaths: ["path"] }, args), base);
  expect(request?.mentions.map(({ confidence }) => confidence)).toEqual([
    "declared",
    "named",
    "command",
  ]);
});

it("takes all below an unknown home folder for outside", async () => {
  const { home: _, ...homeless } = base;
  const mentions = findPathMentions({ checkpaths: [] }, { path: "~/x" });
  expect(await checkPaths(mentions, homeless)).toMatchObject([{ kind: "outside", path: "~/x" }]);
  expect(await checkPaths(mentions, { ...homeless, allowed: ["~/x"] })).toEqual([]);
});

it("reads Windows paths where the root is one", async () => {
  const gate = {
    root: "C:\\work",
    toRealPath: (path: string) =>
      Promise.resolve({ path: path.replaceAll("\\", "/"), isDirectory: false }),
  };
  expect(await check(["a\\b", "C:/work/x"], gate)).toEqual([]);
  expect(await check(["..\\x", "D:\\x\\y", "\\\\host\\share\\x"], gate)).toEqual([
    "outside //host/share",
    "outside C:/",
    "outside D:/x",
  ]);
});
