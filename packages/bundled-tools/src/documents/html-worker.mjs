/**
 * Turns one HTML document into Markdown, in a thread of a process of its own: hostile HTML can keep a parser busy for
 * minutes or fill its stack or its heap, and then only these end. Plain JavaScript, since Node runs it as it is.
 */
import { parentPort, workerData } from "node:worker_threads";
import { toPlainText } from "./to-plain-text.mjs";

/** What holds no text for a reader. */
const unread = "script,style,noscript,template,svg,canvas,iframe,object,embed,link,meta,dialog";

/** An article is taken when it is a real text, and not one teaser of many. */
const articleChars = 500;
const articleShare = 0.3;

/** Looking for an article takes time with the square of this; whole bodies are converted far beyond it. */
const maxArticleChars = 1_000_000;

/** No page is written like this, and the converters go down by recursion. */
const maxDepth = 500;

const { html, url } = workerData;
// From what is certain to what is better: whoever can wait no longer, or sees this thread break, has the last of it.
give(toPlainText(html), true);
// Only now, since loading them takes a large part of a short time.
const [{ gfm }, { Readability }, { parseHTML }, { default: TurndownService }] = await Promise.all([
  import("@joplin/turndown-plugin-gfm"),
  import("@mozilla/readability"),
  import("linkedom"),
  import("turndown"),
]);
const document = parse(html);
const isTooDeep = readDepth(document.documentElement) > maxDepth;
const base = isTooDeep ? url : findBase(document, url);
const title = isTooDeep ? "" : (document.title ?? "").trim().replace(/\s+/g, " ");
if (!isTooDeep) {
  clean(document);
  const body = document.body.outerHTML;
  give(toMarkdown(body));
  const article = body.length > maxArticleChars ? undefined : findArticle();
  if (article !== undefined) give(toMarkdown(article));
}

function give(markdown, isPlain = false) {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage({ markdown, isPlain });
}

/** The article as HTML; undefined when there is none worth the name. */
function findArticle() {
  const words = countChars(document.body.textContent ?? "");
  const found = new Readability(document).parse();
  const inside = countChars(found?.textContent ?? "");
  return inside >= articleChars && inside >= words * articleShare ? found?.content : undefined;
}

function toMarkdown(source) {
  const converter = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
  });
  converter.use(gfm);
  const markdown = converter.turndown(source).trim();
  return title === "" || markdown.startsWith(`# ${title}`) ? markdown : `# ${title}\n\n${markdown}`;
}

/** How deep a tree is, without recursion. */
function readDepth(root) {
  let deepest = 0;
  for (let node = root, level = 0; node !== null;) {
    deepest = Math.max(deepest, level);
    if (node.firstChild !== null) {
      node = node.firstChild;
      level += 1;
      continue;
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode;
      level -= 1;
    }
    node = node === root || node === null ? null : node.nextSibling;
  }
  return deepest;
}

/** linkedom makes a document of a whole one only. */
function parse(text) {
  const whole = /<html[\s>]/i.test(text.slice(0, 10_000))
    ? text
    : `<!doctype html><html><head></head><body>${text}</body></html>`;
  return parseHTML(whole).document;
}

function countChars(text) {
  return text.replace(/\s+/g, "").length;
}

function findBase(page, address) {
  const href = page.querySelector("base[href]")?.getAttribute("href") ?? "";
  return URL.canParse(href, address) ? new URL(href, address).href : address;
}

/** Removes what is not read, and makes links whole, so that they can be fetched next. */
function clean(page) {
  for (const element of page.querySelectorAll(unread)) element.remove();
  for (const link of page.querySelectorAll("a[href]")) toWhole(link, "href");
  for (const image of page.querySelectorAll("img[src]")) toWhole(image, "src");
}

function toWhole(element, name) {
  const value = element.getAttribute(name) ?? "";
  // A file has no address that its links could be relative to.
  if (base === "" && !/^[a-z][a-z\d+.-]*:/i.test(value.trim())) return;
  const address = base === "" ? undefined : base;
  const parsed = URL.canParse(value, address) ? new URL(value, address) : undefined;
  // Neither code nor megabytes of inline data.
  if (parsed === undefined || !/^(?:https?|mailto|tel|ftp):$/.test(parsed.protocol))
    element.removeAttribute(name);
  else element.setAttribute(name, parsed.href);
}
