import { webSearchErrors } from "./errors.js";

/** A key as the environment holds it at the moment. */
export interface ProviderKey {
  /** Undefined when there is none. */
  readonly value: string | undefined;
  /** Takes the key out of a text, also as a URL would spell it. */
  readonly hide: (text: string) => string;
}

/**
 * Reads a key.
 *
 * @param variable - Its variable.
 * @param text - What the variable holds.
 * @returns The key; blank means none.
 * @throws {PosternError} `PROVIDER_KEY_INVALID`
 */
export function readProviderKey(variable: string, text: string | undefined): ProviderKey {
  const value = text?.trim() ?? "";
  if (value === "") return { value: undefined, hide: (said) => said };
  // In a header, a line break would begin another one.
  if (!/^[\w.~+/=:-]+$/.test(value)) throw webSearchErrors.PROVIDER_KEY_INVALID({ variable });
  const spellings = [value, encodeURIComponent(value)];
  return {
    value,
    hide: (said) => spellings.reduce((rest, key) => rest.replaceAll(key, "[key]"), said),
  };
}
