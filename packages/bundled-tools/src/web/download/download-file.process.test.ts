import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { openFolder, type Folder } from "@postern/test-kit";
import type { JsonObject } from "@postern/tool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite, readAnswer, type Site } from "../../../fixtures/web/site.js";
import { downloadFileTool } from "./download-file.js";

/** Binary, with NUL bytes and what is no UTF-8. */
const file = Buffer.concat([Buffer.from("%PDF-1.7\n\0\0\xff\xfe", "latin1"), randomBytes(300_000)]);
const sha256 = createHash("sha256").update(file).digest("hex");

let site: Site;

beforeAll(async () => {
  site = await openSite((request, response) => {
    switch (request.url ?? "") {
      case "/file":
        response.writeHead(200, { "content-type": "application/pdf" }).end(file);
        break;
      case "/redirect":
        response.writeHead(301, { location: "/file" }).end();
        break;
      case "/to-loopback":
        response.writeHead(302, { location: "http://127.0.0.1:8099/" }).end();
        break;
      case "/cut":
        response.writeHead(200, { "content-length": "20000" }).write(file.subarray(0, 1000));
        setTimeout(() => response.destroy(), 30);
        break;
      case "/unsaid-length":
        response.write(file);
        response.end();
        break;
      case "/slow":
        response.write(file.subarray(0, 1000));
        break;
      default:
        response.writeHead(404).end();
    }
  });
});

afterAll(() => site[Symbol.asyncDispose]());

function download(
  folder: Folder,
  args: JsonObject,
  maxDownloadBytes?: number,
): Promise<JsonObject> {
  const more = maxDownloadBytes === undefined ? {} : { maxDownloadBytes };
  return readAnswer(downloadFileTool(site.around(folder.path, more)), args);
}

describe("download_file", () => {
  it("saves the bytes as they are, and says what it saved", async () => {
    await using folder = await openFolder();
    expect(
      await download(folder, { url: site.at("/redirect"), file_path: "a/b/file.pdf" }),
    ).toEqual({
      saved_to: "a/b/file.pdf",
      bytes: file.length,
      sha256,
      content_type: "application/pdf",
      final_url: site.at("/file"),
      redirects: [site.at("/redirect")],
      status_code: 200,
      error: "",
    });
    expect((await readFile(folder.join("a/b/file.pdf"))).equals(file)).toBe(true);
    expect(await readdir(folder.join("a/b"))).toEqual(["file.pdf"]);
  });

  it("replaces a file only by a whole one", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("file"), "old");
    expect(await download(folder, { url: site.at("/cut"), file_path: "file" })).toMatchObject({
      saved_to: "",
      code: "CONNECTION_FAILED",
    });
    expect(await readFile(folder.join("file"), "utf8")).toBe("old");
    await download(folder, { url: site.at("/file"), file_path: "file" });
    expect((await readFile(folder.join("file"))).equals(file)).toBe(true);
    expect(await readdir(folder.path)).toEqual(["file"]);
  });

  it("lets downloads to one file go on at once, and one of them wins whole", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("file.tmp"), "someone else's");
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        download(folder, { url: site.at("/file"), file_path: "file" }),
      ),
    );
    expect(answers.map((answer) => answer["sha256"])).toEqual([sha256, sha256, sha256, sha256]);
    expect((await readdir(folder.path)).toSorted()).toEqual(["file", "file.tmp"]);
    expect(await readFile(folder.join("file.tmp"), "utf8")).toBe("someone else's");
  });

  it.each([
    { path: "/missing", code: "HTTP_STATUS", says: "answered HTTP 404" },
    { path: "/to-loopback", code: "ADDRESS_REFUSED", says: '"127.0.0.1" is not on the public' },
    { path: "/cut", code: "CONNECTION_FAILED", says: "UND_ERR_SOCKET" },
    { path: "/file", code: "DOWNLOAD_TOO_LARGE", says: "larger than 300000 bytes" },
    { path: "/unsaid-length", code: "DOWNLOAD_TOO_LARGE", says: "Nothing was saved" },
    { path: "/slow", code: "FETCH_TIMEOUT", says: "within 1 seconds" },
  ])("leaves nothing of $path, and says why: $code", async ({ path, code, says }) => {
    await using folder = await openFolder();
    const args = { url: site.at(path), file_path: "file", timeout: 1 };
    expect(await download(folder, args, 300_000)).toEqual({
      saved_to: "",
      bytes: 0,
      sha256: "",
      content_type: "",
      final_url: "",
      redirects: [],
      status_code: code === "HTTP_STATUS" ? 404 : null,
      error: expect.stringContaining(says),
      code,
    });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it.each([
    { file_path: "../file", code: "PATH_OUTSIDE_ROOT" },
    { file_path: "/etc/file", code: "PATH_OUTSIDE_ROOT" },
    { file_path: "out/file", code: "PATH_OUTSIDE_ROOT" },
    { file_path: "out-file", code: "PATH_OUTSIDE_ROOT" },
    { file_path: "folder", code: "NOT_A_FILE" },
    { file_path: "a\0b", code: "INVALID_PATH" },
  ])("asks nothing of the web for $file_path", async ({ file_path, code }) => {
    await using folder = await openFolder();
    await using outside = await openFolder();
    await mkdir(folder.join("folder"));
    await symlink(outside.path, folder.join("out"));
    await symlink(outside.join("file"), folder.join("out-file"));
    const before = site.requests.length;
    expect(await download(folder, { url: site.at("/file"), file_path })).toMatchObject({ code });
    expect([site.requests.length - before, await readdir(outside.path)]).toEqual([0, []]);
  });

  it("makes no folder for an address that is refused", async () => {
    await using folder = await openFolder();
    await download(folder, { url: "http://10.0.0.1/file", file_path: "a/b/file" });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("asks for the file uncompressed", async () => {
    await using folder = await openFolder();
    await download(folder, { url: site.at("/file"), file_path: "file" });
    expect(site.requests.at(-1)?.headers["accept-encoding"]).toBe("identity");
  });
});
