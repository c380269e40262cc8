import type { HttpTransport, ServerEntry, StdioTransport } from "../mcp/server-entry.js";
import { toReferencePieces } from "../references/env-reference.js";
import { toPlainText } from "./plain-text.js";
import { isSecretName, mask, withoutTokens } from "./secrets.js";

/**
 * Writes what a server entry starts or contacts, for lists, logs and questions to the owner.
 *
 * References stay unresolved. Values of variables and headers are never shown, only their names. In arguments and
 * addresses, what stands under a secret's name and what looks like a token is shown as `***`. One line, safe to print.
 *
 * @param entry - A server entry, before or after its references were resolved.
 * @returns For instance `npx -y some-server --api-key=*** (env: LOG_LEVEL)`.
 */
export function toUnresolvedText({ transport }: Pick<ServerEntry, "transport">): string {
  return toText(transport, Object.keys);
}

/**
 * Writes an entry for the question whether to trust it: as {@link toUnresolvedText}, and with the values of variables
 * and headers too, since a variable such as `NODE_OPTIONS` decides what is run. Secrets are masked there as well.
 */
export function toWholeText({ transport }: Pick<ServerEntry, "transport">): string {
  return toText(transport, (values) =>
    Object.entries(values).map(([name, value]) =>
      toWord(`${name}=${isSecretName(name) ? toMaskedSecret(value) : toMaskedValue(value)}`),
    ),
  );
}

type ShowNamed = (values: Readonly<Record<string, string>>) => readonly string[];

function toText(transport: StdioTransport | HttpTransport, show: ShowNamed): string {
  return toPlainText(
    transport.kind === "stdio" ? toCommandText(transport, show) : toAddressText(transport, show),
  );
}

function toCommandText({ command, args, env, cwd }: StdioTransport, show: ShowNamed): string {
  const words = [toMaskedValue(command), ...toMaskedArguments(args)].map(toWord);
  const notes = [
    ...(cwd === undefined ? [] : [`in ${toMaskedValue(cwd)}`]),
    ...toNamed("env", show(env)),
  ];
  return words.join(" ") + toNotes(notes);
}

function toAddressText({ url, headers, tokenEnv }: HttpTransport, show: ShowNamed): string {
  const notes = [
    ...toNamed("headers", show(headers)),
    ...(tokenEnv === undefined ? [] : [`token from ${tokenEnv}`]),
  ];
  return toMaskedValue(url) + toNotes(notes);
}

function toNamed(label: string, named: readonly string[]): readonly string[] {
  return named.length === 0 ? [] : [`${label}: ${named.toSorted().join(", ")}`];
}

function toNotes(notes: readonly string[]): string {
  return notes.length === 0 ? "" : ` (${notes.join("; ")})`;
}

/** Shows where one argument ends and the next begins. */
function toWord(word: string): string {
  return /^[^\s"'()]+$/.test(word) ? word : JSON.stringify(word);
}

function toMaskedArguments(args: readonly string[]): readonly string[] {
  return args.map((argument, index) => {
    const before = args[index - 1] ?? "";
    const named = /^--?[A-Za-z]/.test(before) && !before.includes("=") && isSecretName(before);
    // `--token --verbose`: the second is the next option, not the token.
    return named && !argument.startsWith("--") ? toMaskedSecret(argument) : toMaskedValue(argument);
  });
}

/** A name and what follows it; parts of an address are looked at by themselves. */
const assignment = /(?<![?&#;A-Za-z0-9_.-])([-A-Za-z0-9_.]+)(=|:\s*)(?!\/\/)/g;
const userInfo = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/)([^/@\s]*)@/gi;
const parameter = /([?&#;][^=?&#;\s]{1,100}=)([^&#;\s]*)/g;

/** Masks the secrets inside one argument, address or path. */
export function toMaskedValue(value: string): string {
  for (const found of value.matchAll(assignment)) {
    if (!isSecretName(found[1] ?? "")) continue;
    const end = found.index + found[0].length;
    return toMaskedText(value.slice(0, end)) + toMaskedSecret(value.slice(end));
  }
  return toMaskedText(value);
}

function toMaskedText(text: string): string {
  const shown = text
    .replace(userInfo, (_, scheme: string, user: string) => `${scheme}${toMaskedSecret(user)}@`)
    .replace(parameter, (found, name: string, secret: string) =>
      isSecretName(name.slice(1, -1)) ? name + toMaskedSecret(secret) : found,
    );
  return toReferencePieces(shown)
    .map((piece) => (piece.kind === "text" ? withoutTokens(piece.text) : `{env:${piece.name}}`))
    .join("");
}

/** Masks a secret; a reference is none, and the name of a scheme before it says what it is. */
export function toMaskedSecret(secret: string): string {
  const pieces = toReferencePieces(secret);
  if (!pieces.some(({ kind }) => kind === "reference")) return mask;
  return pieces
    .map((piece) => {
      if (piece.kind === "reference") return `{env:${piece.name}}`;
      return /^(?:bearer|basic|token)?\s*$/i.test(piece.text) ? piece.text : mask;
    })
    .join("");
}
