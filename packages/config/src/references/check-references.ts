import type { JsonPath } from "../json/json-value.js";
import { toQuoted } from "../masking/plain-text.js";
import type { HttpTransport, ServerEntry, StdioTransport } from "../mcp/server-entry.js";
import { isSecretName } from "../masking/secrets.js";
import { hasLookAlike, hasReference, withoutReferences } from "./env-reference.js";
import { isLoopback } from "./loopback.js";
import { findProgramText, findStartedProgram } from "./program-text.js";

/** What is wrong with a transport, and with which of its values (wire keys). */
export interface TransportFault {
  readonly code: string;
  readonly message: string;
  readonly path: JsonPath;
}

/**
 * Checks what an entry may do with `{env:NAME}` and with credentials, as far as it shows before they are resolved.
 *
 * @param transport - The entry's transport, unresolved.
 * @returns The faults; empty when it may be connected.
 */
export function checkTransport(transport: ServerEntry["transport"]): readonly TransportFault[] {
  return transport.kind === "stdio" ? checkStdio(transport) : checkHttp(transport);
}

function checkStdio({ command, args, env, cwd }: StdioTransport): readonly TransportFault[] {
  const started = findStartedProgram([command, ...args]);
  const faults: TransportFault[] = [
    ...refuseReference(command, ["command"]),
    ...(cwd === undefined ? [] : refuseReference(cwd, ["cwd"])),
  ];
  for (const [index, argument] of args.entries()) {
    const path = ["args", index];
    faults.push(...checkLookAlike(argument, path));
    if (index + 1 === started && argument.startsWith("{env:") && hasReference(argument))
      faults.push({
        code: "REFERENCE_NOT_ALLOWED",
        message: `A reference stands where ${toQuoted(command)} takes the name of the program to start. Write the program's name.`,
        path,
      });
    if (isReferenceInOptionName(argument))
      faults.push({
        code: "REFERENCE_NOT_ALLOWED",
        message:
          "A reference stands in the name of an option, so the variable's value could choose another one. Write the option's name before it, as in --name={env:NAME}.",
        path,
      });
  }
  return [
    ...faults,
    ...checkProgramText({ command, args }, { command, args }),
    ...checkNamed("env", env),
  ];
}

type CommandLine = Pick<StdioTransport, "command" | "args">;

/**
 * Checks that no reference stands in what a shell or an interpreter would run.
 *
 * @param written - The command as written.
 * @param words - The same with its references resolved, or as written: a value may be what makes the words after it a
 * program, as in `docker run image {env:SHELL} -c {env:TEXT}`.
 * @returns The faults.
 */
export function checkProgramText(
  written: CommandLine,
  words: CommandLine,
): readonly TransportFault[] {
  const text = findProgramText([words.command, ...words.args]);
  if (text === undefined) return [];
  const refused = written.args
    .map((argument, index) => ({ argument, index }))
    .filter(({ argument, index }) => index + 1 >= text.from && hasReference(argument));
  return refused.map(({ index }) => ({
    code: "REFERENCE_IN_PROGRAM_TEXT",
    // The program's name may come from a variable, whose value is not told.
    message: `A reference stands where ${toRunnerText(written, text.program)} takes program text, so the variable's value could be run. Put it under "env" and read that variable in the program.`,
    path: ["args", index],
  }));
}

function toRunnerText({ command, args }: CommandLine, program: string): string {
  const known = [command, ...args].some(
    (word) => !hasReference(word) && word.toLowerCase().includes(program),
  );
  return known ? toQuoted(program) : "a shell or an interpreter";
}

/** `--{env:NAME}` and `-{env:NAME}`; after `=`, and as the value that sticks to a letter (`-p{env:PORT}`), it is data. */
function isReferenceInOptionName(argument: string): boolean {
  const [name = ""] = argument.split("{env:", 1);
  return hasReference(argument) && /^(?:-|--[^=]*)$/.test(name);
}

function checkHttp(transport: HttpTransport): readonly TransportFault[] {
  const { url, headers } = transport;
  const faults = [...checkLookAlike(url, ["url"]), ...checkNamed("headers", headers)];
  // A reference at the very beginning may stand for all that is checked here; what it resolves to is checked then.
  if (faults.length > 0 || /^\s*\{env:/.test(url)) return faults;
  return checkAddress(withoutReferences(url, "1"), isCredentialed(transport));
}

/** Tells whether a credential goes out with each request. References count: they are there to hide something. */
export function isCredentialed({ url, headers, tokenEnv }: HttpTransport): boolean {
  return (
    tokenEnv !== undefined ||
    hasReference(url) ||
    hasSecretParameter(url) ||
    Object.entries(headers).some(isCredentialHeader)
  );
}

/** `https://host/mcp?api_key=…`: a key written out is one too. */
function hasSecretParameter(url: string): boolean {
  return URL.canParse(url) && [...new URL(url).searchParams.keys()].some(isSecretName);
}

function isCredentialHeader([name, value]: readonly [string, string]): boolean {
  return isSecretName(name) || hasReference(value);
}

/** Checks a URL: readable, http or https, without user and password, and https or loopback for a credential. */
export function checkAddress(text: string, credential: boolean): readonly TransportFault[] {
  const path = ["url"];
  if (!URL.canParse(text))
    return [
      {
        code: "WRONG_URL",
        message: "This is not a whole URL. Write for instance https://host/mcp.",
        path,
      },
    ];
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return [
      { code: "WRONG_URL", message: "Only https: and http: addresses can be reached.", path },
    ];
  if (url.username !== "" || url.password !== "")
    return [
      {
        code: "WRONG_URL",
        message:
          'A user or password in the URL is refused: it ends up in logs. Use "token_env" or "headers".',
        path,
      },
    ];
  if (!credential || url.protocol === "https:" || isLoopback(url)) return [];
  return [
    {
      code: "CREDENTIAL_NEEDS_HTTPS",
      message:
        "A credential (token_env, a secret header or parameter, or a reference) is sent only over https, or over http to this machine itself. Use an https URL.",
      path,
    },
  ];
}

function refuseReference(value: string, path: JsonPath): readonly TransportFault[] {
  if (!hasReference(value)) return checkLookAlike(value, path);
  const message = `"${path.join(".")}" is taken as it is written: a reference is refused here. It may stand in "args", in values of "env" and "headers", and in "url".`;
  return [{ code: "REFERENCE_NOT_ALLOWED", message, path }];
}

function checkNamed(
  key: "env" | "headers",
  values: Readonly<Record<string, string>>,
): readonly TransportFault[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = [key, name];
    return hasReference(name) || hasLookAlike(name)
      ? [{ code: "REFERENCE_NOT_ALLOWED", message: "A reference is refused in a name.", path }]
      : checkLookAlike(value, path);
  });
}

function checkLookAlike(value: string, path: JsonPath): readonly TransportFault[] {
  if (!hasLookAlike(value)) return [];
  const message =
    "Something here looks like a reference and is none. Write {env:NAME}: lower-case env, no blanks, no $ before it, and a name of letters, digits and _ that does not begin with a digit.";
  return [{ code: "WRONG_REFERENCE", message, path }];
}
