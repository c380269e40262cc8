import { createHash } from "node:crypto";
import { join } from "node:path";
import { ensurePrivateDirectory, readTextFile, updateFile } from "@postern/files";
import { pathErrors } from "./errors.js";
import { withConsent, type Consent, type ConsentStore } from "./consent-store.js";

/**
 * Makes the store of one project: a file of the owner's, named by a digest of the project's root. Of two processes that
 * change it at once, none loses the other's change.
 *
 * @param folder - The owner's folder for consents, private; created when something is allowed first.
 * @param root - The real path of the project's root.
 * @returns The store.
 * @throws {PosternError} From its functions: `CONSENTS_BROKEN` for a file that is not one of ours: it is left as it is,
 *   and nothing in it counts; `NOT_PRIVATE`, `FILE_UNREADABLE`, `FILE_UNWRITABLE`, `LOCK_TIMEOUT` of `@postern/files`.
 */
export function createFileConsentStore(folder: string, root: string): ConsentStore {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 32);
  const file = join(folder, `${name}.json`);
  const change = async (
    apply: (consents: readonly Consent[]) => readonly Consent[],
  ): Promise<void> => {
    await ensurePrivateDirectory(folder);
    await updateFile(file, (text) => toText(root, apply(parse(text, { file, root }))), {
      mode: 0o600,
    });
  };
  return Object.freeze({
    async list(): Promise<readonly Consent[]> {
      const text = await readTextFile(file);
      if (text === undefined) return [];
      // What others can write in there would be their consent.
      await ensurePrivateDirectory(folder);
      return parse(text, { file, root });
    },
    add: (consent: Consent) => change((consents) => withConsent(consents, consent)),
    async revoke(path: string): Promise<boolean> {
      if ((await readTextFile(file)) === undefined) return false;
      let wasThere = false;
      await change((consents) => {
        wasThere = consents.some((each) => each.path === path);
        return consents.filter((each) => each.path !== path);
      });
      return wasThere;
    },
  });
}

function toText(root: string, consents: readonly Consent[]): string {
  return `${JSON.stringify({ version: 1, root, consents }, undefined, 2)}\n`;
}

function parse(
  text: string | undefined,
  { file, root }: { readonly file: string; readonly root: string },
): readonly Consent[] {
  if (text === undefined) return [];
  const value = parseObject(text);
  const consents =
    value?.["version"] === 1 && value["root"] === root ? value["consents"] : undefined;
  if (!Array.isArray(consents) || !consents.every(isConsent))
    throw pathErrors.CONSENTS_BROKEN({ file });
  return consents;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function isConsent(value: unknown): value is Consent {
  if (typeof value !== "object" || value === null) return false;
  const { path, covers, tool, at } = value as Readonly<Record<string, unknown>>;
  return (
    typeof path === "string" &&
    path !== "" &&
    (covers === "file" || covers === "folder") &&
    typeof tool === "string" &&
    typeof at === "number"
  );
}
