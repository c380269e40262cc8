import type { Decision } from "./decision.js";
import { toProgram, type ShellCommand } from "./shell-commands.js";

/** What a rule looks at. */
export interface Subject {
  /** The commands in what the call would do. */
  readonly commands: readonly ShellCommand[];
  /** Every text of the call but documents, one after the other. */
  readonly text: string;
  /** Every text of the call. */
  readonly whole: string;
}

/** A rule that comes with Postern. */
export interface BuiltInRule {
  readonly name: string;
  readonly decision: Decision;
  readonly reason: string;
  readonly matches: (subject: Subject) => boolean;
}

const shells = /^(?:ba|z|da|k|a|fi|tc|c)?sh$|^(?:python|perl|ruby|node|php)[\d.]*$/;
const fetchers = /^(?:curl|wget|fetch|http|https|aria2c)$/;
const url = /^[a-z][a-z\d+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i;

/** Everything, or everything here or at home. */
function isEverything(target: string): boolean {
  const plain = target.replaceAll(/\/{2,}/g, "/").replace(/^\$\{?HOME\}?/, "~");
  return (
    /^(?:\/|~\/?|\.{1,2}\/?|\*|\/\*|~\/\*|\.{1,2}\/\*|\/\.{1,2}\/?|~[\w-]+\/?)$/.test(plain) ||
    /^\/(?:bin|boot|dev|etc|home|lib|lib64|opt|root|sbin|srv|sys|usr|var|Users|System|Library)\/?\*?$/.test(
      plain,
    )
  );
}

const hasFlag = (words: readonly string[], short: RegExp, long: RegExp): boolean =>
  words.some((word) => (/^-[A-Za-z]+$/.test(word) && short.test(word)) || long.test(word));
const findOperands = (words: readonly string[]): readonly string[] =>
  words.slice(1).filter((word) => !word.startsWith("-"));

function deletesEverything({ words }: ShellCommand): boolean {
  const program = toProgram(words[0]);
  if (program === "find")
    return (
      words.includes("-delete") &&
      isEverything(words[1] ?? "") &&
      !words.some((word) => /^-(?:name|iname|path|type|mtime|regex)/.test(word))
    );
  if (program !== "rm") return false;
  const isDeep = hasFlag(words, /[rR]/, /^--recursive$/);
  const isForced = hasFlag(words, /f/, /^--force$/) || words.includes("--no-preserve-root");
  return isDeep && isForced && findOperands(words).some(isEverything);
}

function destroysDisk({ words, outputs }: ShellCommand): boolean {
  const program = toProgram(words[0]);
  const disk = /^\/dev\/(?!null$|zero$|full$|random$|urandom$|std\w+$|tty\w*$|fd\/|shm\/|pts\/)/;
  if (outputs.some((output) => disk.test(output))) return true;
  if (/^mkfs(?:\.|$)|^mke2fs$|^wipefs$/.test(program)) return true;
  if (program === "dd")
    return words.some((word) => word.startsWith("of=") && disk.test(word.slice(3)));
  return (
    /^(?:shred|blkdiscard)$/.test(program) && findOperands(words).some((word) => disk.test(word))
  );
}

function opensEverything({ words }: ShellCommand): boolean {
  if (toProgram(words[0]) !== "chmod" || !hasFlag(words, /R/, /^--recursive$/)) return false;
  const isOpen = words.some((word) => /^[0-7]?777$|^(?:a|ugo)?[+=](?:rwx|rwX)$/.test(word));
  return isOpen && findOperands(words).some((word) => /^(?:\/|~|\$\{?HOME)/.test(word));
}

function runsDownload({ commands, text }: Subject): boolean {
  const isRun = commands.some(
    ({ words, stage, pipeline }) =>
      stage > 0 &&
      shells.test(toProgram(words[0])) &&
      commands.some(
        (other) =>
          other.pipeline === pipeline &&
          other.stage < stage &&
          fetchers.test(toProgram(other.words[0])),
      ),
  );
  return (
    isRun ||
    /\b(?:(?:ba|z|da|k)?sh|eval|source|python\d?|perl|node)\b[^\n;|]{0,200}(?:\$\(|<\(|`)\s*(?:curl|wget)\b/.test(
      text,
    )
  );
}

function pushes({ words }: ShellCommand): readonly string[] | undefined {
  if (toProgram(words[0]) !== "git") return undefined;
  const at = words.indexOf("push");
  return at === -1 ? undefined : words.slice(at + 1);
}

function uploads({ words, stage, hasInput }: ShellCommand): boolean {
  const program = toProgram(words[0]);
  const last = words.at(-1) ?? "";
  if (program === "curl")
    return words.some(
      (word, at) =>
        /^(?:-T|--upload-file)/.test(word) ||
        (/^(?:-d|--data(?:-\w+)?|-F|--form)$/.test(words[at - 1] ?? "") && /^@|=[@<]/.test(word)) ||
        /^(?:-d@|-F\S*=@|--data[\w-]*=@|--form=\S*=@)/.test(word),
    );
  if (program === "wget") return words.some((word) => /^--(?:post|body)-file/.test(word));
  if (program === "scp" || program === "rsync" || program === "sftp")
    return /^(?:[\w.-]+@)?[\w.-]+::?/.test(last) && !/^[A-Za-z]:[\\/]/.test(last);
  return /^(?:nc|ncat|netcat|socat|telnet)$/.test(program) && (stage > 0 || hasInput);
}

const forkBomb = /(?:^|[\s;&|])([\w:.]{1,30})\s*\(\)\s*\{[^}]{0,100}\1\s*\|\s*\1\s*&?[^}]{0,100}\}/;
const secrets =
  /\bsk-[A-Za-z0-9_-]{20,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----|\bghp_[A-Za-z0-9]{36}\b|\bxox[abps]-[A-Za-z0-9-]{10,}/;

const some =
  (matches: (command: ShellCommand) => boolean) =>
  ({ commands }: Subject): boolean =>
    commands.some(matches);

/** The rules that come with Postern, in the order in which they are named. */
export const builtInRules: readonly BuiltInRule[] = Object.freeze([
  {
    name: "rm_rf_root",
    decision: "block",
    reason: "it deletes everything in a place that is not its own",
    matches: some(deletesEverything),
  },
  {
    name: "disk_destroy",
    decision: "block",
    reason: "it overwrites a disk",
    matches: some(destroysDisk),
  },
  {
    name: "fork_bomb",
    decision: "block",
    reason: "it starts processes without end",
    matches: ({ text }) => forkBomb.test(text),
  },
  {
    name: "chmod_777_root",
    decision: "block",
    reason: "it opens a whole tree to everybody",
    matches: some(opensEverything),
  },
  {
    name: "curl_pipe_shell",
    decision: "review",
    reason: "it runs what it downloads",
    matches: runsDownload,
  },
  {
    name: "git_force_push",
    decision: "review",
    reason: "it overwrites what others pushed",
    matches: some(
      (command) =>
        pushes(command)?.some((word) =>
          /^--(?:force|force-with-lease|mirror)(?:$|=)|^-[A-Za-z]*f[A-Za-z]*$|^\+./.test(word),
        ) ?? false,
    ),
  },
  {
    name: "data_upload_egress",
    decision: "review",
    reason: "it sends files away",
    matches: some(uploads),
  },
  {
    name: "git_push_foreign_remote",
    decision: "review",
    reason: "it pushes to an address that is no configured remote",
    matches: some((command) => pushes(command)?.some((word) => url.test(word)) ?? false),
  },
  {
    name: "sudo_rm",
    decision: "warn",
    reason: "it deletes as root",
    matches: some(
      ({ words }) =>
        /^(?:sudo|doas)$/.test(toProgram(words[0])) &&
        words.some((word) => toProgram(word) === "rm"),
    ),
  },
  {
    name: "secret_material",
    decision: "warn",
    reason: "it holds what looks like a key",
    matches: ({ whole }) => secrets.test(whole),
  },
] satisfies readonly BuiltInRule[]);
