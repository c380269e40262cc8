import { chmod, mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { openFolder, type Folder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { readPosternFile } from "./project-file.js";
import { deleteTrust, readTrust, writeTrust } from "./trust.js";

interface Project extends AsyncDisposable {
  readonly home: string;
  readonly file: string;
  readonly folder: Folder;
  readonly sha256: string;
}

async function openProject(): Promise<Project> {
  const folder = await openFolder();
  await mkdir(folder.join("home"), { mode: 0o700 });
  await mkdir(folder.join("project"));
  const file = folder.join("project", "postern.json");
  await writeFile(file, "{}\n");
  const sha256 = (await readPosternFile(file))?.sha256 ?? "";
  return {
    home: folder.join("home"),
    file,
    folder,
    sha256,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe("readTrust()", () => {
  it("trusts no file at first, and makes nothing", async () => {
    await using project = await openProject();
    expect(await readTrust(`${project.home}/none`, project.file)).toBe("untrusted");
    await expect(stat(`${project.home}/none`)).rejects.toThrow("ENOENT");
  });

  it("trusts what the owner trusted, and no other content of it", async () => {
    await using project = await openProject();
    await writeTrust(project.home, project.file, project.sha256);
    expect(await readTrust(project.home, project.file)).toBe("trusted");
    await writeFile(project.file, "{} \n");
    expect(await readTrust(project.home, project.file)).toBe("changed");
    await writeFile(project.file, "{}\n");
    expect(await readTrust(project.home, project.file)).toBe("trusted");
  });

  it("judges the reading that will be used, not the file of a moment later", async () => {
    await using project = await openProject();
    await writeTrust(project.home, project.file, project.sha256);
    await writeFile(project.file, '{"guard": {}}');
    const reading = await readPosternFile(project.file);
    await writeFile(project.file, "{}\n");
    expect(await readTrust(project.home, project.file, reading?.sha256)).toBe("changed");
    expect(await readTrust(project.home, project.file, project.sha256)).toBe("trusted");
  });

  it("knows a file by the real path of its folder", async () => {
    await using project = await openProject();
    await writeTrust(project.home, project.file, project.sha256);
    await symlink("project", project.folder.join("link"));
    expect(await readTrust(project.home, project.folder.join("link", "postern.json"))).toBe(
      "trusted",
    );
  });

  it("does not trust a link to a trusted file, whose relative commands would run elsewhere", async () => {
    await using project = await openProject();
    await writeTrust(project.home, project.file, project.sha256);
    await mkdir(project.folder.join("evil"));
    await symlink(project.file, project.folder.join("evil", "postern.json"));
    const linked = project.folder.join("evil", "postern.json");
    expect(await readTrust(project.home, linked)).toBe("untrusted");
    expect(await readTrust(project.home, linked, project.sha256)).toBe("untrusted");
  });

  it("does not trust a copy of the same content elsewhere", async () => {
    await using project = await openProject();
    await writeTrust(project.home, project.file, project.sha256);
    await writeFile(project.folder.join("postern.json"), "{}\n");
    expect(await readTrust(project.home, project.folder.join("postern.json"))).toBe("untrusted");
    await rename(project.folder.join("project"), project.folder.join("moved"));
    expect(await readTrust(project.home, project.folder.join("moved", "postern.json"))).toBe(
      "untrusted",
    );
    expect(await readTrust(project.home, project.file)).toBe("untrusted");
  });

  it.each([
    ["no JSON", "{"],
    ["another form", '{"projects": []}'],
    ["a digest that is none", '{"projects": {"/a": {"sha256": "x"}}}'],
    ["a key twice", '{"projects": {}, "projects": {}}'],
  ])("refuses a trust.json that is %s, and never writes over it", async (_, text) => {
    await using project = await openProject();
    const file = `${project.home}/trust.json`;
    await writeFile(file, text, { mode: 0o600 });
    const broken = { code: "FILE_BROKEN" };
    await expect(readTrust(project.home, project.file)).rejects.toMatchObject(broken);
    await expect(writeTrust(project.home, project.file, project.sha256)).rejects.toMatchObject(
      broken,
    );
    await expect(deleteTrust(project.home, project.file)).rejects.toMatchObject(broken);
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("refuses a trust.json, or a home, that others can write to", async () => {
    await using project = await openProject();
    await writeTrust(project.home, project.file, project.sha256);
    await chmod(`${project.home}/trust.json`, 0o666);
    const refused = { code: "TRUST_NOT_PRIVATE" };
    await expect(readTrust(project.home, project.file)).rejects.toMatchObject(refused);
    await expect(writeTrust(project.home, project.file, project.sha256)).rejects.toMatchObject(
      refused,
    );
    await chmod(`${project.home}/trust.json`, 0o600);
    await chmod(project.home, 0o777);
    await expect(readTrust(project.home, project.file)).rejects.toMatchObject({
      code: "NOT_PRIVATE",
    });
  });
});

describe("writeTrust()", () => {
  it("writes for the owner only, real path and digest", async () => {
    await using project = await openProject();
    await writeTrust(project.home, project.file, project.sha256.toUpperCase());
    const file = `${project.home}/trust.json`;
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      projects: { [project.file]: { sha256: project.sha256 } },
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("refuses a file that is not what was shown any more", async () => {
    await using project = await openProject();
    await writeFile(project.file, '{"guard": {}}');
    const write = writeTrust(project.home, project.file, project.sha256);
    await expect(write).rejects.toMatchObject({ code: "TRUST_CHANGED" });
    expect(await readTrust(project.home, project.file)).toBe("untrusted");
  });

  it("refuses a file that is not there", async () => {
    await using project = await openProject();
    await rm(project.file);
    const write = writeTrust(project.home, project.file, project.sha256);
    await expect(write).rejects.toMatchObject({ code: "PROJECT_FILE_MISSING" });
  });

  it("loses none of many that are trusted at once", async () => {
    await using project = await openProject();
    const files = Array.from({ length: 10 }, (_, index) => project.folder.join(`p${index}.json`));
    await Promise.all(files.map((file) => writeFile(file, "{}\n")));
    await Promise.all(files.map((file) => writeTrust(project.home, file, project.sha256)));
    const trusted = await Promise.all(files.map((file) => readTrust(project.home, file)));
    expect(trusted).toEqual(files.map(() => "trusted"));
  });
});

describe("deleteTrust()", () => {
  it("stops trusting a file, and tells whether it was trusted", async () => {
    await using project = await openProject();
    await writeTrust(project.home, project.file, project.sha256);
    expect(await deleteTrust(project.home, project.file)).toBe(true);
    expect(await readTrust(project.home, project.file)).toBe("untrusted");
    expect(await deleteTrust(project.home, project.file)).toBe(false);
    expect(await deleteTrust(`${project.home}/none`, project.file)).toBe(false);
  });

  it("stops trusting a file that is gone", async () => {
    await using project = await openProject();
    await writeTrust(project.home, project.file, project.sha256);
    await rm(project.file);
    expect(await deleteTrust(project.home, project.file)).toBe(true);
  });
});
