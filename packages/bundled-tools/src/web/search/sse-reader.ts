/** Takes a stream of server-sent events apart, piece by piece. */
export interface SseReader {
  /** Takes the next piece, and gives the data of each event that ended in it. */
  read(text: string): readonly string[];
  /** Gives what is left at the end: servers forget the last empty line. */
  readRest(): readonly string[];
}

/**
 * Makes a reader of server-sent events (HTML standard §9.2.6): any line end, `data` of several lines, comments and
 * other fields ignored.
 *
 * @returns The reader.
 */
export function createSseReader(): SseReader {
  let pending = "";
  let data: string[] = [];
  const readLine = (line: string): readonly string[] => {
    if (line === "") {
      const event = data.join("\n");
      data = [];
      return event === "" ? [] : [event];
    }
    const match = /^data(?:: ?(.*))?$/s.exec(line);
    if (match !== null) data.push(match[1] ?? "");
    return [];
  };
  const readLines = (text: string): readonly string[] => {
    const lines = text.split(/\r\n|\n|\r/);
    pending = lines.pop() ?? "";
    return lines.flatMap(readLine);
  };
  return {
    read(text) {
      const whole = (pending + text).replace(/^\ufeff/, "");
      // A CR at the end may be half of a CRLF, which would count as two lines.
      if (!whole.endsWith("\r")) return readLines(whole);
      const found = readLines(whole.slice(0, -1));
      pending += "\r";
      return found;
    },
    readRest: () => [...readLines(`${pending}\n`), ...readLine("")],
  };
}
