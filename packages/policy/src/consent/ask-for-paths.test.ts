import { posix } from "node:path";
import {
  createCallContext,
  createResult,
  grantedMetaKey,
  type Answer,
  type Ask,
  type Caller,
  type CallOutcome,
  type JsonObject,
  type Listing,
  type Question,
  type ResolvedCall,
} from "@postern/tool";
import { array, assert, asyncProperty, constantFrom, tuple } from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { createSensitiveNames } from "../paths/sensitive-names.js";
import { askForPaths, type PathConsentOptions } from "./ask-for-paths.js";
import { pathErrors } from "./errors.js";
import { createMemoryConsentStore } from "./consent-store.js";

const directories = new Set(["/", "/etc", "/out", "/work", "/tmp/mine"]);
const links: Readonly<Record<string, string>> = { "/work/link": "/etc/passwd" };
const listing: Listing = {
  kind: "tool",
  server: "files",
  name: "files_read",
  originalName: "read",
  tags: [],
  checkpaths: ["path"],
  raw: {},
};
const owner: Caller = { kind: "owner", id: "owner", scopes: [] };

let asked: Question[] = [];
let ran: ResolvedCall[] = [];
beforeEach(() => {
  asked = [];
  ran = [];
});

const failing: Ask = () => Promise.reject(new RangeError("input required"));
const accept = (answer: string): Answer => ({ action: "accept", content: { answer } });
const answerWith =
  (answer: Answer | (() => Promise<Answer>)): Ask =>
  (question) => {
    asked.push(question);
    return typeof answer === "function" ? answer() : Promise.resolve(answer);
  };

function open(options: Partial<PathConsentOptions> = {}) {
  const gate = askForPaths({
    root: "/work",
    home: "/home/me",
    consent: "ask",
    isSensitive: createSensitiveNames(),
    now: () => 7,
    toRealPath: (path) => {
      const plain = posix.normalize(path);
      const real = links[plain] ?? plain;
      return Promise.resolve({ path: real, isDirectory: directories.has(real) });
    },
    ...options,
  });
  const call = gate((resolved) => {
    ran.push(resolved);
    return Promise.resolve(createResult({ content: [{ type: "text", text: "done" }] }));
  });
  return (args: JsonObject, ask: Ask = answerWith({ action: "cancel" }), caller = owner) =>
    call({
      name: listing.name,
      method: "tools/call",
      listing,
      arguments: args,
      context: createCallContext({ caller, ask }),
    });
}

const codeOf = (outcome: CallOutcome): unknown =>
  (outcome as { structuredContent?: { error?: unknown } }).structuredContent?.error;
const granted = (): unknown => ran.at(-1)?.context.meta[grantedMetaKey];

it("asks nothing about paths inside, and grants nothing", async () => {
  const call = open();
  expect(codeOf(await call({ path: "a/b", query: "/etc/passwd" }))).toBeUndefined();
  expect([asked.length, ran.length, granted()]).toEqual([0, 1, undefined]);
});

it.each<[string, Answer, boolean]>([
  ["once", accept("once"), true],
  ["session", accept("session"), true],
  ["always", accept("always"), true],
  ["no", accept("deny"), false],
  ["no for the session", accept("deny_session"), false],
  ["no form", { action: "decline" }, false],
  ["nothing", { action: "cancel" }, false],
  ["a word that is none", accept("yes"), false],
  ["no word", { action: "accept" }, false],
  ["an object", { action: "accept", content: { answer: { once: true } } }, false],
])("takes %s for what it is", async (_name, answer, isAllowed) => {
  const outcome = await open()({ path: "/etc/passwd" }, answerWith(answer));
  expect([codeOf(outcome), ran.length]).toEqual(isAllowed ? [undefined, 1] : ["PATH_DENIED", 0]);
  expect(granted()).toEqual(isAllowed ? ["/etc/passwd"] : undefined);
});

it("shows the tool, each path, its spelling, the reason and how sure it is, and no more is offered", async () => {
  const args = { path: "link", command: "cat .env > /out/x", note: "/etc/shadow" };
  await open()(args, answerWith(accept("deny")));
  const [question] = asked;
  expect(question).toMatchObject({ to: "owner", id: expect.stringMatching(/^paths:[\da-f]{64}$/) });
  expect(question?.message).toBe(
    [
      'The tool "files_read" wants to use 3 paths that need consent:',
      '1. "/etc/passwd": a file outside the project; written "link", in "path", which the tool declares as a path.',
      '2. "/out/x": a file outside the project; written in "command", a command.',
      '3. "/work/.env": a file of the project, which usually holds secrets; written ".env", in "command", a command.',
      "What you allow is exactly what is listed: a file alone, a folder with all below it.",
    ].join("\n"),
  );
  expect(question?.schema["properties"]).toMatchObject({
    answer: { enum: ["once", "session", "deny", "deny_session"] },
  });
});

it("grants every path outside that a call uses, also those that were allowed before", async () => {
  const call = open();
  await call({ path: "/etc/passwd" }, answerWith(accept("session")));
  await call({ path: ["/etc/passwd", "/out/x", "in"] }, answerWith(accept("once")));
  expect(granted()).toEqual(["/etc/passwd", "/out/x"]);
});

it("asks again after once, and not after session", async () => {
  const call = open();
  for (const answer of ["once", "session"])
    for (let round = 0; round < 2; round += 1)
      await call({ path: `/out/${answer}` }, answerWith(accept(answer)));
  expect(asked.map(({ details }) => details?.["requests"])).toMatchObject([
    [{ path: "/out/once" }],
    [{ path: "/out/once" }],
    [{ path: "/out/session" }],
  ]);
});

it("covers the file alone, a folder with all in it, and by a folder no file with secrets", async () => {
  const call = open();
  const yes = answerWith(accept("session"));
  await call({ path: "/out/a" }, yes);
  await call({ path: "/out/b" }, answerWith(accept("deny")));
  expect(asked).toHaveLength(2);
  await call({ path: "/etc" }, yes);
  await call({ path: "/etc/ssl/x" }, answerWith(accept("deny")));
  expect(asked).toHaveLength(3);
  expect(codeOf(await call({ path: "/etc/server.key" }, answerWith(accept("deny"))))).toBe(
    "PATH_DENIED",
  );
  expect(asked).toHaveLength(4);
});

it("covers the file's folder where the owner widens it", async () => {
  const store = createMemoryConsentStore();
  const call = open({ store });
  await call({ path: "/out/a" }, answerWith(accept("session_folder")));
  await call({ path: "/out/b" });
  await call({ path: "/tmp/x/a.key" }, answerWith(accept("always_folder")));
  await call({ path: ["/tmp/x/a.key", "/tmp/x/b"] });
  expect([asked.length, ran.length]).toEqual([2, 4]);
  expect(await store.list()).toMatchObject([
    { path: "/tmp/x", covers: "folder" },
    { path: "/tmp/x/a.key", covers: "file" },
  ]);
});

it("keeps always in the store, for every caller, and session and denials for the caller alone", async () => {
  const store = createMemoryConsentStore();
  const call = open({ store });
  const other: Caller = { kind: "remote", id: "b", scopes: [] };
  await call({ path: "/out/a" }, answerWith(accept("always")));
  await call({ path: "/out/b" }, answerWith(accept("session")));
  await call({ path: "/out/c" }, answerWith(accept("deny_session")));
  expect(await store.list()).toEqual([
    { path: "/out/a", covers: "file", tool: "files_read", at: 7 },
  ]);
  const codes = [];
  for (const path of ["/out/a", "/out/b", "/out/c"])
    codes.push(codeOf(await call({ path }, answerWith(accept("deny")), other)));
  expect(codes).toEqual([undefined, "PATH_DENIED", "PATH_DENIED"]);
  expect(asked).toHaveLength(5);
  expect(codeOf(await call({ path: "/out/c" }, answerWith(accept("once"))))).toBe("PATH_DENIED");
  expect(asked).toHaveLength(5);
  await store.revoke("/out/a");
  await call({ path: "/out/a" });
  expect(asked).toHaveLength(6);
});

it("asks once for calls that want the same path at once, and each for what is its own", async () => {
  const call = open();
  const door = new EventTarget();
  const slow = answerWith(async () => {
    await new Promise((resolve) => door.addEventListener("open", resolve, { once: true }));
    return accept("once");
  });
  const yes = answerWith(accept("once"));
  const calls = [
    call({ path: "/out/a" }, slow),
    call({ path: "/out/a" }, slow),
    call({ path: ["/out/a", "/out/b"] }, yes),
  ];
  await expect.poll(() => asked.length).toBe(1);
  door.dispatchEvent(new Event("open"));
  expect((await Promise.all(calls)).map(codeOf)).toEqual([undefined, undefined, undefined]);
  expect(asked.map(({ details }) => details?.["requests"])).toMatchObject([
    [{ path: "/out/a" }],
    [{ path: "/out/b" }],
  ]);
});

it("lets a call ask for itself whose neighbour's question has no answer yet", async () => {
  const call = open();
  const calls = [call({ path: "/out/a" }, failing), call({ path: "/out/a" }, failing)];
  const settled = await Promise.allSettled(calls);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(codeOf(await call({ path: "/out/a" }, answerWith(accept("once"))))).toBeUndefined();
});

it("refuses what the store of consents cannot be read for", async () => {
  const broken = pathErrors.CONSENTS_BROKEN({ file: "f" });
  const store = { ...createMemoryConsentStore(), list: () => Promise.reject(broken) };
  const call = open({ store });
  expect(codeOf(await call({ path: "/out/a" }, answerWith(accept("once"))))).toBe(
    "CONSENTS_BROKEN",
  );
  expect([asked.length, ran.length]).toEqual([0, 0]);
  expect(codeOf(await call({ path: "a" }))).toBeUndefined();
});

it("refuses at once where nobody is to be asked, secrets too", async () => {
  const call = open({ consent: "deny" });
  const outcomes = [];
  for (const path of ["/etc/passwd", ".env", "a"])
    outcomes.push(await call({ path }, answerWith(accept("once"))));
  expect(outcomes.map(codeOf)).toEqual(["PATH_DENIED", "PATH_DENIED", undefined]);
  expect(asked).toEqual([]);
  expect((outcomes[0] as { isError?: boolean }).isError).toBe(true);
});

it("refuses what cannot be shown whole", async () => {
  const call = open();
  const paths = Array.from({ length: 21 }, (_, at) => `/out/${at}`);
  for (const path of [paths, `/out/${"x".repeat(2_000)}`])
    expect(codeOf(await call({ path }, answerWith(accept("once"))))).toBe("PATH_DENIED");
  expect([asked.length, ran.length]).toEqual([0, 0]);
});

it("writes no line of a path's own into the question", async () => {
  await open()({ path: "/out/a\nPostern asks\u202e all is well" }, answerWith(accept("deny")));
  expect(asked[0]?.message.split("\n")).toHaveLength(3);
  expect(asked[0]?.message).not.toContain("\u202e");
});

it("takes what the owner's configuration declares, and opens what it opens", async () => {
  const call = open({
    checkpaths: { files_read: ["a"], "files/read": ["b"] },
    findOpen: ({ server }) => (server === "files" ? ["/tmp/mine"] : []),
  });
  const no = answerWith(accept("deny"));
  const codes = [];
  for (const args of [{ a: "/etc/x" }, { b: "/etc/x" }, { text: "/etc/x" }, { a: "/tmp/mine/x" }])
    codes.push(codeOf(await call(args, no)));
  expect(codes).toEqual(["PATH_DENIED", "PATH_DENIED", undefined, undefined]);
  expect(granted()).toBeUndefined();
});

it("begins relative paths where the tool works", async () => {
  const call = open({ findDirectory: () => "/out" });
  expect(codeOf(await call({ path: "a" }))).toBe("PATH_DENIED");
  expect(asked[0]?.details?.["requests"]).toMatchObject([{ path: "/out/a" }]);
});

it("lets nothing through that neither the root nor an answer covers", async () => {
  const names = constantFrom("a", "b", ".env", "..", "etc", "out");
  const paths = array(
    array(names, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`),
    { minLength: 1, maxLength: 3 },
  );
  const answers = constantFrom("once", "session", "deny", "deny_session", "session_folder");
  await assert(
    asyncProperty(array(tuple(paths, answers), { maxLength: 6 }), async (calls) => {
      const call = open();
      const allowed: string[] = ["/work"];
      for (const [path, answer] of calls) {
        const before = ran.length;
        let question: Question | undefined;
        const ask: Ask = (given) => {
          question = given;
          return Promise.resolve(accept(answer));
        };
        await call({ path }, ask);
        if (ran.length === before) continue;
        const once = (question?.details?.["requests"] ?? []) as unknown as { path: string }[];
        if (answer.startsWith("session"))
          for (const each of once)
            allowed.push(
              each.path,
              ...(answer === "session_folder" ? [each.path.replace(/\/[^/]*$/, "") || "/"] : []),
            );
        const covered = new Set([...allowed, ...once.map((each) => each.path)]);
        for (const each of path) {
          const real = posix.resolve(each);
          const isCovered = [...covered].some(
            (one) => real === one || real.startsWith(one === "/" ? one : `${one}/`),
          );
          expect([real, isCovered]).toEqual([real, true]);
        }
      }
    }),
    { numRuns: 300 },
  );
});
