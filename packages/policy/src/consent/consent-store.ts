/** What the owner allowed for a project, until it is revoked. */
export interface Consent {
  /** The absolute real path. */
  readonly path: string;
  /** `file`: this path alone. `folder`: all below it too, but no file that usually holds secrets. */
  readonly covers: "file" | "folder";
  /** The tool whose call was asked about, by shown name. It counts for every tool. */
  readonly tool: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** Keeps what the owner allowed always, for one project. */
export interface ConsentStore {
  /** Everything that is allowed. */
  list(): Promise<readonly Consent[]>;
  /** Allows something; what is there for the same path and cover is replaced. */
  add(consent: Consent): Promise<void>;
  /**
   * Takes back what was allowed.
   *
   * @param path - The path, with every cover.
   * @returns False where nothing was allowed for it.
   */
  revoke(path: string): Promise<boolean>;
}

/**
 * Makes a store that forgets when the process ends.
 *
 * @returns The store.
 */
export function createMemoryConsentStore(): ConsentStore {
  let kept: readonly Consent[] = [];
  return Object.freeze({
    list: () => Promise.resolve(kept),
    add(consent: Consent): Promise<void> {
      kept = withConsent(kept, consent);
      return Promise.resolve();
    },
    revoke(path: string): Promise<boolean> {
      const before = kept.length;
      kept = kept.filter((each) => each.path !== path);
      return Promise.resolve(kept.length < before);
    },
  });
}

/**
 * Adds a consent to others.
 *
 * @param kept - What there is.
 * @param consent - The new one.
 * @returns All, without an older one for the same path and cover.
 */
export function withConsent(kept: readonly Consent[], consent: Consent): readonly Consent[] {
  const others = kept.filter(
    ({ path, covers }) => path !== consent.path || covers !== consent.covers,
  );
  return Object.freeze([...others, Object.freeze({ ...consent })]);
}
