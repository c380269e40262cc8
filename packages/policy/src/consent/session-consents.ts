import { toFolder } from "../paths/absolute-path.js";
import type { PathRequest, PathTarget } from "../paths/check-paths.js";
import type { Consent, ConsentStore } from "./consent-store.js";
import type { PathAnswer } from "./path-question.js";

/** What is open beside the root, in the shape that `checkPaths` takes. */
export interface OpenPaths {
  readonly allowed: readonly string[];
  readonly allowedFiles: ReadonlySet<string>;
}

type Cover = Pick<Consent, "path" | "covers">;

/** So much is remembered of one caller; beyond it is asked again. */
const maxRemembered = 10_000;

/** What the owner said of the calls of one caller, until the session ends. */
export class SessionConsents {
  readonly #allowed = new Map<string, Cover>();
  readonly #denied = new Set<string>();

  /** Whether one of them was denied until the session ends. */
  isDenied(requests: readonly PathRequest[]): boolean {
    return toTargets(requests).some(({ path }) => this.#denied.has(path));
  }

  /** What is open by this session's answers and by the store's. */
  async findOpen(store: ConsentStore | undefined): Promise<OpenPaths> {
    const kept = store === undefined ? [] : await store.list();
    const all = [...this.#allowed.values(), ...kept];
    return {
      allowed: all.flatMap(({ path, covers }) => (covers === "folder" ? [path] : [])),
      allowedFiles: new Set(all.map(({ path }) => path)),
    };
  }

  /** Keeps an answer that counts for later calls too. */
  keep(answer: PathAnswer, requests: readonly PathRequest[]): void {
    if (answer === "deny_session")
      for (const { path } of toTargets(requests)) add(this.#denied, path);
    if (answer === "once" || answer === "deny" || answer === "deny_session") return;
    for (const cover of toCovers(requests, answer.endsWith("_folder"))) {
      if (this.#allowed.size >= maxRemembered) return;
      this.#allowed.set(`${cover.covers} ${cover.path}`, cover);
    }
  }
}

function add(denied: Set<string>, path: string): void {
  if (denied.size < maxRemembered) denied.add(path);
}

/** All that requests are about. */
export function toTargets(requests: readonly PathRequest[]): readonly PathTarget[] {
  return requests.flatMap(({ targets }) => targets);
}

/**
 * Finds what a yes covers.
 *
 * @param requests - What was asked about.
 * @param isWide - Whether the folders of files are meant. The file itself is covered then too: it may hold secrets.
 * @returns The covers.
 */
export function toCovers(requests: readonly PathRequest[], isWide: boolean): readonly Cover[] {
  return toTargets(requests).flatMap(({ path, isDirectory, mention }): readonly Cover[] => {
    if (isDirectory) return [{ path, covers: "folder" }];
    const file: Cover = { path, covers: "file" };
    return isWide && mention.unknown === undefined
      ? [{ path: toFolder(path), covers: "folder" }, file]
      : [file];
  });
}
