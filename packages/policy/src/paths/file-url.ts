const fileUrl = /^file:/i;
const otherUrl = /^[a-z][a-z\d+.-]+:\/\//i;

/**
 * Reads what is written where a path may stand.
 *
 * @param text - A path, or a URL.
 * @returns The path; undefined for nothing, and for a URL that is none of a file.
 */
export function parsePathText(text: string): string | undefined {
  if (fileUrl.test(text)) return parseFileUrl(text);
  return text === "" || otherUrl.test(text) ? undefined : text;
}

/** Whether a text is the URL of a file: then it is a path, whatever it is called. */
export function isFileUrl(text: string): boolean {
  return fileUrl.test(text);
}

/** With any number of slashes, as RFC 8089 and its readers have it; another host stays in the path, and so outside. */
function parseFileUrl(url: string): string {
  const rest = url
    .slice(5)
    .replaceAll("\\", "/")
    .replace(/[?#].*$/s, "");
  const [, host = "", path = ""] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? ["", "", rest];
  const isHere = host === "" || host.toLowerCase() === "localhost";
  return toDecoded(isHere ? path || "/" : `//${host}${path}`);
}

function toDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Some other text with a percent sign: taken as it is.
    return text;
  }
}
