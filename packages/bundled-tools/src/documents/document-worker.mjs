/**
 * Turns one document into text, in a thread of a process of its own: a hostile one can keep a parser busy for minutes
 * or fill its memory, and then only these end. Plain JavaScript, since Node runs it as it is.
 */
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { inflateRawSync } from "node:zlib";

/** More pages than anybody reads through a tool. */
const maxPages = 2_000;

/** More text than anybody pages through; a few pages can be made to draw the same text without end. */
const maxChars = 10_000_000;

/** What all entries of a DOCX may hold; a small file can name far more than memory has. */
const maxUnpackedBytes = 100 * 1024 * 1024;

const { kind, data } = workerData;
const readers = { PDF: readPdf, DOCX: readDocx };
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.postMessage(await readers[kind](data));

/** @param {Uint8Array} bytes */
async function readPdf(bytes) {
  const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const document = await getDocument({
    data: bytes,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    // Files of the package itself: text in Chinese, Japanese and Korean names its characters by them.
    cMapUrl: fileURLToPath(new URL("cmaps/", import.meta.resolve("pdfjs-dist/package.json"))),
    cMapPacked: true,
    stopAtErrors: false,
    verbosity: 0,
  }).promise;
  const pages = [];
  const count = Math.min(document.numPages, maxPages);
  let chars = 0;
  for (let number = 1; number <= count && chars < maxChars; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = toPage(items);
    pages.push(text);
    chars += text.length;
    page.cleanup();
  }
  const left = document.numPages - pages.length;
  const more = left > 0 ? `\n\n[${left} more pages are left out]` : "";
  return pages.map((text, at) => `[Page ${at + 1}]\n${text}`).join("\n\n") + more;
}

function toPage(items) {
  let text = "";
  for (const item of items) {
    text += (item.str ?? "") + (item.hasEOL ? "\n" : "");
    if (text.length > maxChars) break;
  }
  return text
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** @param {Uint8Array} bytes */
async function readDocx(bytes) {
  const buffer = Buffer.from(bytes);
  assertUnpackable(buffer);
  const [{ default: mammoth }, { default: TurndownService }, { gfm }] = await Promise.all([
    import("mammoth"),
    import("turndown"),
    import("@joplin/turndown-plugin-gfm"),
  ]);
  const noImages = mammoth.images.imgElement(async () => ({ src: "" }));
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage: noImages });
  const converter = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  });
  converter.use(gfm);
  converter.remove("img");
  return converter.turndown(value).trim();
}

/** Unpacks every entry once, within a limit: what the archive says of their sizes need not be true. */
function assertUnpackable(zip) {
  let left = maxUnpackedBytes;
  for (const { method, start, size } of readEntries(zip)) {
    if (left <= 0) throw new RangeError("the archive unpacks to more than 100 MB");
    const packed = zip.subarray(start, start + size);
    left -= method === 0 ? size : inflateRawSync(packed, { maxOutputLength: left }).length;
  }
}

/** The entries of a ZIP archive's directory, read as the library will read it: whatever number it gives of them. */
function* readEntries(zip) {
  const end = zip.lastIndexOf("PK\x05\x06");
  if (end === -1) throw new RangeError("it is no ZIP archive");
  const [length, directory] = [zip.readUInt32LE(end + 12), zip.readUInt32LE(end + 16)];
  // Else the library would look for another directory than the one that is checked here.
  if (zip.readUInt32LE(end + 4) !== 0 || directory + length !== end || isLarge(zip, end))
    throw new RangeError("its directory is not where it should be");
  for (let at = directory; zip.toString("latin1", at, at + 4) === "PK\x01\x02";) {
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    yield { method: zip.readUInt16LE(at + 10), start, size: zip.readUInt32LE(at + 20) };
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

/** Whether the numbers are those of an archive for more than 4 GB, which has a second directory. */
function isLarge(zip, end) {
  return zip.readUInt16LE(end + 8) === 0xffff || zip.readUInt16LE(end + 10) === 0xffff;
}
