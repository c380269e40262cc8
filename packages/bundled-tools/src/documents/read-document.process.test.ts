import { chmod, utimes, writeFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";
import { openFolder, type Folder } from "@postern/test-kit";
import type { JsonObject } from "@postern/tool";
import { describe, expect, it } from "vitest";
import { bundledTools } from "../bundled-tools.js";

async function read(folder: Folder, args: JsonObject): Promise<JsonObject> {
  const tools = bundledTools({ root: folder.path, allowRoot: true });
  const tool = tools.find(({ listing }) => listing.name === "read_file");
  return (await tool!.run(args)).structuredContent as JsonObject;
}

/** A ZIP archive, made by hand so that its parts can lie. */
function toZip(files: Readonly<Record<string, Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(crc32(content), 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(content.length, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    local.copy(entry, 6, 4, 30);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** An archive that tells of one part, however many it has. */
function toLying(files: Readonly<Record<string, Buffer>>): Buffer {
  const zip = toZip(files);
  zip.writeUInt16LE(1, zip.length - 12);
  return zip;
}

const toDocx = (body: string, prolog = ""): Buffer =>
  toZip({
    "[Content_Types].xml": Buffer.from(
      `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    "_rels/.rels": Buffer.from(
      `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    "word/document.xml": Buffer.from(
      `<?xml version="1.0"?>${prolog}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
  });

const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

describe("read_file of a document", () => {
  it("gives a Word file as Markdown, in pages", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a.docx"), toDocx(paragraph("First.") + paragraph("Second.")));
    expect(await read(folder, { path: "a.docx" })).toMatchObject({
      content: "1: First.\n2: \n3: Second.",
      note: "This is the DOCX as text.",
      error: "",
    });
    expect(await read(folder, { path: "a.docx", offset: 3 })).toMatchObject({
      content: "3: Second.",
    });
  });

  it("gives a PDF as text, page by page", async () => {
    await using folder = await openFolder();
    const content = "BT /F 12 Tf 72 700 Td (One.) Tj 0 -14 Td (Two.) Tj ET";
    const page = "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>";
    const objects = [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>",
      page,
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      page,
    ].map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`);
    const pdf = `%PDF-1.4\n${objects.join("")}trailer\n<</Size 7/Root 1 0 R>>\n`;
    await writeFile(folder.join("a.pdf"), pdf);
    expect(await read(folder, { path: "a.pdf", raw: true, line_numbers: false })).toMatchObject({
      content: "[Page 1]\nOne.\nTwo.\n\n[Page 2]\nOne.\nTwo.",
      note: "This is the PDF as text.",
    });
  });

  it("gives HTML as Markdown with its links, and as it is when asked to", async () => {
    await using folder = await openFolder();
    const html =
      "<html><body><h1>Hi</h1><p><a href='https://x.example/'>there</a></p></body></html>\n";
    await writeFile(folder.join("a.html"), html);
    const answer = await read(folder, { path: "a.html", line_numbers: false });
    expect(answer["content"]).toBe("# Hi\n\n[there](https://x.example/)");
    expect(answer["note"]).toContain('"raw": true');
    expect(await read(folder, { path: "a.html", raw: true, line_numbers: false })).toMatchObject({
      content: html.trimEnd(),
    });
  });

  it("gives a notebook's text, code and output", async () => {
    await using folder = await openFolder();
    const notebook = {
      metadata: { language_info: { name: "python" } },
      cells: [
        { cell_type: "markdown", source: ["# Title\n", "text"] },
        {
          cell_type: "code",
          source: "print(1)",
          outputs: [
            { output_type: "stream", text: ["1\n"] },
            {
              output_type: "display_data",
              data: { "image/png": "AAAA", "text/plain": "<Figure>" },
            },
            { output_type: "error", ename: "E", evalue: "bad", traceback: [] },
            { output_type: "stream", text: "x".repeat(5_000) },
          ],
        },
      ],
    };
    await writeFile(folder.join("a.ipynb"), JSON.stringify(notebook));
    const { content } = await read(folder, { path: "a.ipynb", line_numbers: false });
    expect(content).toBe(
      `[Cell 1]\n# Title\ntext\n\n[Cell 2, code]\n\`\`\`python\nprint(1)\n\`\`\`\n[Output]\n1\n[Output]\n<Figure>\n[image/png left out]\n[Output]\nE: bad\n[Output]\n${"x".repeat(2_000)}\n[3000 more characters]`,
    );
  });

  it("converts anew when the file changed, and once while it did not", async () => {
    await using folder = await openFolder();
    await writeFile(folder.join("a.docx"), toDocx(paragraph("old")));
    const tools = bundledTools({ root: folder.path, allowRoot: true });
    const tool = tools.find(({ listing }) => listing.name === "read_file")!;
    const content = async () =>
      ((await tool.run({ path: "a.docx" })).structuredContent as JsonObject)["content"];
    const first = await content();
    const start = performance.now();
    for (let time = 0; time < 20; time += 1) await content();
    const repeatedMs = performance.now() - start;
    await writeFile(folder.join("a.docx"), toDocx(paragraph("new text")));
    await utimes(folder.join("a.docx"), 1, 1);
    expect([first, await content()]).toEqual(["1: old", "1: new text"]);
    expect(repeatedMs).toBeLessThan(1_000);
  });

  it.each([
    { what: "no PDF", name: "a.pdf", bytes: Buffer.from("no"), code: "CONVERSION_FAILED" },
    { what: "no archive", name: "a.docx", bytes: Buffer.from("no"), code: "CONVERSION_FAILED" },
    { what: "no notebook", name: "a.ipynb", bytes: Buffer.from("[]"), code: "CONVERSION_FAILED" },
    {
      what: "a spreadsheet",
      name: "a.xlsx",
      bytes: Buffer.from("PK"),
      code: "UNSUPPORTED_DOCUMENT",
    },
    {
      what: "an archive that unpacks to more than memory has",
      name: "a.docx",
      bytes: toZip({ "word/document.xml": Buffer.alloc(300_000_000) }),
      code: "CONVERSION_FAILED",
    },
    {
      what: "an archive that begins later, so that another directory would be read than was checked",
      name: "a.docx",
      bytes: Buffer.concat([Buffer.alloc(10), toDocx(paragraph("x"))]),
      code: "CONVERSION_FAILED",
    },
    {
      what: "an archive that tells of fewer parts than it has",
      name: "a.docx",
      bytes: toLying({ a: Buffer.from("a"), "word/document.xml": Buffer.alloc(300_000_000) }),
      code: "CONVERSION_FAILED",
    },
  ])("refuses $what", async ({ name, bytes, code }) => {
    await using folder = await openFolder();
    await writeFile(folder.join(name), bytes);
    await chmod(folder.join(name), 0o644);
    expect(await read(folder, { path: name })).toMatchObject({ code, content: "" });
  });

  it("follows no entity of a Word file, and is not filled by one", async () => {
    await using folder = await openFolder();
    const bomb = `<!DOCTYPE d [<!ENTITY a "${"x".repeat(1_000)}">${Array.from({ length: 8 }, (_, i) => `<!ENTITY ${"bcdefghi"[i]} "${`&${"abcdefgh"[i]};`.repeat(10)}">`).join("")}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    await writeFile(folder.join("a.docx"), toDocx(paragraph("&i;&f;"), bomb));
    const answer = JSON.stringify(await read(folder, { path: "a.docx" }));
    expect(answer).not.toContain("root:");
    expect(answer.length).toBeLessThan(100_000);
  });
});
