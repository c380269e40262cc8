import { createHash } from "node:crypto";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { openFolder } from "@postern/test-kit";
import { describe, expect, it } from "vitest";
import { findProjectFile, readPosternFile, readSettings } from "./project-file.js";

describe("readPosternFile()", () => {
  it("reads a file with the digest of its bytes", async () => {
    await using folder = await openFolder();
    const text = '\ufeff{"general": {"access_level": "read_only"}}\r\n';
    await writeFile(folder.join("postern.json"), text);
    expect(await readPosternFile(folder.join("postern.json"))).toMatchObject({
      path: folder.join("postern.json"),
      sha256: createHash("sha256").update(text).digest("hex"),
      parsed: { ok: true, value: { general: { accessLevel: "read_only" } } },
    });
  });

  it("gives nothing for a missing file", async () => {
    await using folder = await openFolder();
    expect(await readPosternFile(folder.join("postern.json"))).toBeUndefined();
  });

  it("gives the digest also of a file that is at fault", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("postern.json"), "{");
    const file = await readPosternFile(folder.join("postern.json"));
    expect(file?.parsed).toMatchObject({ ok: false, problems: [{ code: "SYNTAX" }] });
    expect(file?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("gives a problem for a folder of that name", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("postern.json"));
    expect(await readPosternFile(folder.join("postern.json"))).toMatchObject({
      sha256: undefined,
      parsed: { ok: false, problems: [{ code: "FILE_UNREADABLE" }] },
    });
  });
});

describe("readSettings()", () => {
  it("takes nothing from a file that everybody can write to", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("settings.json"), "{}");
    await chmod(folder.join("settings.json"), 0o666);
    expect(await readSettings(folder.path)).toMatchObject({
      ok: false,
      problems: [{ code: "NOT_PRIVATE" }],
    });
  });

  it("reads the owner's settings, and a missing file as nothing said", async () => {
    await using folder = await openFolder();
    expect(await readSettings(folder.path)).toMatchObject({ ok: true, value: { domains: {} } });
    await writeFile(folder.join("settings.json"), '{"general": {"access_level": "full"}}');
    expect(await readSettings(folder.path)).toMatchObject({
      ok: true,
      value: { general: { accessLevel: "full" } },
    });
    await writeFile(folder.join("settings.json"), '{"generall": {}}');
    expect(await readSettings(folder.path)).toMatchObject({
      ok: false,
      problems: [{ code: "UNKNOWN_KEY" }],
    });
  });
});

describe("findProjectFile()", () => {
  it("finds the file in that folder, and none in the folder above", async () => {
    await using folder = await openFolder();
    await mkdir(folder.join("sub"));
    await writeFile(folder.join("postern.json"), "{}");
    expect(await findProjectFile(folder.path)).toBe(folder.join("postern.json"));
    expect(await findProjectFile(folder.join("sub"))).toBeUndefined();
    expect(await findProjectFile(folder.join("none"))).toBeUndefined();
    expect(await findProjectFile(folder.join("postern.json"))).toBeUndefined();
  });

  it("does not pass over one that cannot be read", async () => {
    await using folder = await openFolder();
    await symlink("postern.json", folder.join("postern.json"));
    const file = await findProjectFile(folder.path);
    expect(file).toBe(folder.join("postern.json"));
    expect((await readPosternFile(file ?? ""))?.parsed.ok).toBe(false);
  });
});
