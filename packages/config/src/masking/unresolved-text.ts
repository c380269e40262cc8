import type { HttpTransport, ServerEntry, StdioTransport } from "../mcp/server-entry.js";
import { lists, questions, type Masking } from "./masking.js";
import { toPlainText } from "./plain-text.js";
import { isSecretName } from "./secrets.js";

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
  return toText(transport, { masking: lists, show: Object.keys });
}

/**
 * Writes an entry for the question whether to trust it: as {@link toUnresolvedText}, and with the values of variables
 * and headers too, since a variable such as `NODE_OPTIONS` decides what is run. Only what can be nothing but a secret is
 * masked there: what is not shown is not approved.
 */
export function toWholeText({ transport }: Pick<ServerEntry, "transport">): string {
  return toText(transport, {
    masking: questions,
    show: (values) =>
      Object.entries(values).map(([name, value]) =>
        toWord(`${name}=${isSecretName(name) ? questions.secret(value) : questions.value(value)}`),
      ),
  });
}

interface Style {
  readonly masking: Masking;
  readonly show: (values: Readonly<Record<string, string>>) => readonly string[];
}

function toText(transport: StdioTransport | HttpTransport, style: Style): string {
  return toPlainText(
    transport.kind === "stdio" ? toCommandText(transport, style) : toAddressText(transport, style),
  );
}

function toCommandText(
  { command, args, env, cwd }: StdioTransport,
  { masking, show }: Style,
): string {
  const words = [masking.value(command), ...toMaskedArguments(args, masking)].map(toWord);
  const notes = [
    ...(cwd === undefined ? [] : [`in ${masking.value(cwd)}`]),
    ...toNamed("env", show(env)),
  ];
  return words.join(" ") + toNotes(notes);
}

function toAddressText(
  { url, headers, tokenEnv }: HttpTransport,
  { masking, show }: Style,
): string {
  const notes = [
    ...toNamed("headers", show(headers)),
    ...(tokenEnv === undefined ? [] : [`token from ${tokenEnv}`]),
  ];
  return masking.value(url) + toNotes(notes);
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

function toMaskedArguments(args: readonly string[], masking: Masking): readonly string[] {
  return args.map((argument, index) => {
    const before = args[index - 1] ?? "";
    const named = /^--?[A-Za-z]/.test(before) && !before.includes("=") && isSecretName(before);
    // `--token --verbose`: the second is the next option, not the token.
    return named && !argument.startsWith("--") ? masking.secret(argument) : masking.value(argument);
  });
}
