import { createPacer } from "../../pacer.js";
import { createMalformed } from "./service.js";

/** An element of an XML document. */
export interface XmlElement {
  /** Without a namespace's prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[];
}

const maxDepth = 100;
const maxElements = 50_000;
const sliceChars = 16 * 1024;

/**
 * Reads an XML document that a stranger wrote. Entities that the document declares itself are not known, so that none
 * can grow; neither are files or addresses that it names.
 *
 * @param text - The document.
 * @param signal - Ends the work.
 * @returns Its root.
 * @throws {PosternError} `PAPER_SOURCE_FAILED` for what is not well-formed, too deep or too large.
 */
export async function readXml(text: string, signal: AbortSignal): Promise<XmlElement> {
  const { SaxesParser } = await import("saxes");
  const parser = new SaxesParser();
  const top: OpenElement = { name: "", attributes: {}, children: [] };
  const open = [top];
  let count = 0;
  const addText = (piece: string): void => {
    open.at(-1)?.children.push(piece);
  };
  parser.on("opentag", ({ name, attributes }) => {
    count += 1;
    if (open.length > maxDepth || count > maxElements) throw createMalformed();
    const element = { name: toLocalName(name), attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", addText);
  parser.on("cdata", addText);
  const pacer = createPacer(signal);
  try {
    for (let start = 0; start < text.length; start += sliceChars) {
      if (pacer.isDue()) await pacer.pause();
      parser.write(text.slice(start, start + sliceChars));
    }
    parser.close();
  } catch (error) {
    if (signal.aborted) throw error;
    throw createMalformed();
  }
  const root = findChildren(top)[0];
  if (root === undefined) throw createMalformed();
  return root;
}

/** The elements at the end of a path of names below one; of all of them when a name occurs more than once. */
export function findAll(element: XmlElement, ...path: readonly string[]): readonly XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap((one) => findChildren(one, name)),
    [element],
  );
}

/** The text of the first element at the end of a path, with that of everything in it; empty when there is none. */
export function readXmlText(element: XmlElement, ...path: readonly string[]): string {
  const [found] = findAll(element, ...path);
  return found === undefined ? "" : toText(found).replace(/\s+/g, " ").trim();
}

function findChildren(element: XmlElement, name?: string): readonly XmlElement[] {
  return element.children.filter(
    (child) => typeof child !== "string" && (name === undefined || child.name === name),
  ) as readonly XmlElement[];
}

function toText({ children }: XmlElement): string {
  return children.map((child) => (typeof child === "string" ? child : toText(child))).join("");
}

function toLocalName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
