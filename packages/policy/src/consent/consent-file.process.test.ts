import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { bundleSource, openFolder, type Folder } from "@postern/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileConsentStore } from "./consent-file.js";
import { consentStoreContract } from "./consent-store-contract.js";
import type { Consent, ConsentStore } from "./consent-store.js";
import { toRealPath } from "./real-path.js";

let folder: Folder;
let count = 0;
const folders = new WeakMap<ConsentStore, string>();

beforeAll(async () => {
  folder = await openFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

function create(): ConsentStore {
  count += 1;
  const path = folder.join(`store ${count}`);
  const store = createFileConsentStore(path, "/work");
  folders.set(store, path);
  return store;
}
const share = (first: ConsentStore): ConsentStore =>
  createFileConsentStore(folders.get(first) ?? "", "/work");

const consent: Consent = { path: "/out/a", covers: "file", tool: "read", at: 1 };

describe("createFileConsentStore()", () => {
  it.each(consentStoreContract({ create, share }))("$name", async (each) => {
    await expect(each.run()).resolves.toBeUndefined();
  });

  it("keeps projects apart, in private files", async () => {
    const path = folder.join("projects");
    await createFileConsentStore(path, "/one").add(consent);
    expect(await createFileConsentStore(path, "/two").list()).toEqual([]);
    const name = (await readdir(path)).find((each) => each.endsWith(".json")) ?? "";
    expect(JSON.parse(await readFile(`${path}/${name}`, "utf8"))).toEqual({
      version: 1,
      root: "/one",
      consents: [consent],
    });
    const modes = [path, `${path}/${name}`].map(async (each) => (await stat(each)).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
  });

  it.each([
    "",
    "{",
    "[]",
    '{"version":1,"root":"/other","consents":[]}',
    '{"version":1,"root":"/work","consents":[{}]}',
  ])("counts nothing in a file with %j, and leaves it", async (text) => {
    const store = create();
    await store.add(consent);
    const path = folders.get(store) ?? "";
    const name = (await readdir(path)).find((each) => each.endsWith(".json")) ?? "";
    await writeFile(`${path}/${name}`, text);
    const works = [() => store.list(), () => store.add(consent), () => store.revoke("/out/a")];
    for (const work of works)
      await expect(work()).rejects.toMatchObject({ code: "CONSENTS_BROKEN" });
    expect(await readFile(`${path}/${name}`, "utf8")).toBe(text);
  });

  it("counts nothing in a folder in which others can write", async () => {
    const store = create();
    await store.add(consent);
    await chmod(folders.get(store) ?? "", 0o777);
    await expect(store.list()).rejects.toMatchObject({ code: "NOT_PRIVATE" });
  });

  it("says that it cannot be read, to a user who may not", async () => {
    await chmod(folder.path, 0o755);
    const store = folder.join("closed");
    await mkdir(store, { mode: 0o700 });
    await createFileConsentStore(store, "/work").add(consent);
    await chmod(store, 0o755);
    const program = folder.join("read.ts");
    const source = JSON.stringify(new URL("consent-file.ts", import.meta.url).pathname);
    await writeFile(
      program,
      `import { createFileConsentStore } from ${source};
      const store = createFileConsentStore(process.argv[2], "/work");
      console.log(await store.list().then(() => "read", ({ code }) => code));`,
    );
    const user = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath];
    const call = [...user, await bundleSource(program, folder.path), store];
    const { stdout } = await promisify(execFile)("setpriv", call);
    expect(stdout.trim()).toBe("FILE_UNREADABLE");
  });
});

describe("toRealPath()", () => {
  it("tells where a path leads, whether a folder is there or nothing", async () => {
    await mkdir(folder.join("real"));
    expect(await toRealPath(folder.join("real"))).toEqual({
      path: folder.join("real"),
      isDirectory: true,
    });
    expect(await toRealPath(folder.join("real/x/y"))).toEqual({
      path: folder.join("real/x/y"),
      isDirectory: false,
    });
    expect(await toRealPath("/a\0b")).toBeUndefined();
  });
});
