import type { Stats } from "node:fs";
import type { Landmark } from "./page.js";

/** Where to begin reading. */
export interface Start extends Landmark {
  /** Whether the file begins with a byte order mark. */
  readonly hasBom: boolean;
}

/** Where lines of large files begin, so that the next page costs a page, however far down it is. */
export interface Landmarks {
  /** The nearest known line that is not after the wanted one; the beginning of the file if none is known. */
  find(file: FileIdentity, line: number): Start;
  /** Remembers lines of a file. */
  add(file: FileIdentity, landmarks: readonly Landmark[], hasBom: boolean): void;
}

/** A file at one state of its content. */
export interface FileIdentity {
  readonly realPath: string;
  readonly stats: Stats;
}

interface Known {
  readonly state: string;
  readonly hasBom: boolean;
  /** By line, ascending. */
  readonly marks: Landmark[];
}

const maxFiles = 32;
const maxMarks = 4_096;
const beginning: Start = Object.freeze({ line: 1, position: 0, hasBom: false });

/** Makes an empty memory; what a file's change makes wrong is forgotten. */
export function createLandmarks(): Landmarks {
  const files = new Map<string, Known>();
  const findKnown = ({ realPath, stats }: FileIdentity): Known | undefined => {
    const known = files.get(realPath);
    return known?.state === toState(stats) ? known : undefined;
  };
  return {
    find(file, line) {
      const known = findKnown(file);
      const mark = known?.marks.findLast((each) => each.line <= line);
      return known === undefined || mark === undefined
        ? beginning
        : { ...mark, hasBom: known.hasBom };
    },
    add(file, landmarks, hasBom) {
      if (landmarks.length === 0) return;
      const marks = [...(findKnown(file)?.marks ?? []), ...landmarks]
        .toSorted((a, b) => a.line - b.line)
        .filter((mark, at, all) => mark.line !== all[at - 1]?.line)
        .slice(-maxMarks);
      // The file that was read last is the last to go.
      files.delete(file.realPath);
      files.set(file.realPath, { state: toState(file.stats), hasBom, marks });
      const [oldest] = files.keys();
      if (files.size > maxFiles && oldest !== undefined) files.delete(oldest);
    },
  };
}

function toState({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(":");
}
