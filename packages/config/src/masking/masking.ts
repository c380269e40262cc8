import { toReferencePieces } from "../references/env-reference.js";
import { isSecretName, mask, withoutTokens } from "./secrets.js";

/** How secrets are taken out of what is shown; references stay, since they are none. */
export interface Masking {
  /** Masks the secrets inside one argument, address or path. */
  value(text: string): string;
  /** Masks what stands under a secret's name. */
  secret(text: string): string;
}

/** A name and what follows it; parts of an address are looked at by themselves. */
const assignment = /(?<![?&#;A-Za-z0-9_.-])([-A-Za-z0-9_.]+)(["']?(?:=|:\s*))(?!\/\/)/g;
/** `--token hunter2` as one argument. */
const optionAndValue = /^(--?[A-Za-z][A-Za-z0-9_-]*)\s+/;
const userInfo = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)([^/@\s]*)@/gi;
const parameter = /([?&#;][^=?&#;\s]{1,100}=)([^&#;\s]*)/g;

/** For lists and logs: whatever follows a secret's name is masked, to the end of the argument. */
export const lists: Masking = Object.freeze<Masking>({
  value(text: string): string {
    const option = optionAndValue.exec(text);
    if (option !== null && isSecretName(option[1] ?? ""))
      return option[0] + lists.secret(text.slice(option[0].length));
    for (const found of text.matchAll(assignment)) {
      if (!isSecretName(found[1] ?? "")) continue;
      const end = found.index + found[0].length;
      return toMaskedText(text.slice(0, end), lists) + lists.secret(text.slice(end));
    }
    return toMaskedText(text, lists);
  },
  secret: toMaskedSecret,
});

/** What no shell, interpreter or file system could take for more than a word. */
const opaque = /^(?:(?:bearer|basic|token)\s+)?[A-Za-z0-9_+~=-]*$/i;
const opaqueAssignment =
  /(?<![?&#;A-Za-z0-9_.-])([-A-Za-z0-9_.]{1,100})(["']?(?:=|:\s{0,9})["']?(?:(?:bearer|basic|token)\s)?)([A-Za-z0-9_+~=-]{1,300})(?![A-Za-z0-9_+~=./:@\\-])/gi;

/**
 * For the question whether to trust: a command, a path or an address is never taken for a secret, whatever it is called,
 * or a file could hide what it runs behind `password=`.
 */
export const questions: Masking = Object.freeze<Masking>({
  value: (text) =>
    toMaskedText(
      text.replace(opaqueAssignment, (found, name: string, sign: string) =>
        isSecretName(name) ? name + sign + mask : found,
      ),
      questions,
    ),
  secret: (text) =>
    opaque.test(withoutBraces(text)) ? toMaskedSecret(text) : questions.value(text),
});

function withoutBraces(text: string): string {
  return toReferencePieces(text)
    .map((piece) => (piece.kind === "text" ? piece.text : ""))
    .join("");
}

function toMaskedText(value: string, masking: Masking): string {
  const shown = value
    .replace(userInfo, (_, scheme: string, user: string) => `${scheme}${toUser(user, masking)}@`)
    .replace(parameter, (found, name: string, secret: string) =>
      isSecretName(name.slice(1, -1)) ? name + toParameter(secret, masking) : found,
    );
  return toReferencePieces(shown)
    .map((piece) => (piece.kind === "text" ? withoutTokens(piece.text) : `{env:${piece.name}}`))
    .join("");
}

function toUser(user: string, masking: Masking): string {
  const isHidden = masking === lists || /^[A-Za-z0-9_+~=:%.-]*$/.test(withoutBraces(user));
  return isHidden ? toMaskedSecret(user) : user;
}

function toParameter(secret: string, masking: Masking): string {
  const isHidden = masking === lists || opaque.test(withoutBraces(secret));
  return isHidden ? toMaskedSecret(secret) : secret;
}

/** Masks a secret; a reference is none, and the name of a scheme before it says what it is. */
function toMaskedSecret(secret: string): string {
  const pieces = toReferencePieces(secret);
  if (!pieces.some(({ kind }) => kind === "reference")) return mask;
  return pieces
    .map((piece) => {
      if (piece.kind === "reference") return `{env:${piece.name}}`;
      return /^(?:bearer|basic|token)?\s*$/i.test(piece.text) ? piece.text : mask;
    })
    .join("");
}
