import { isPlainSed } from "./sed-script.js";

/** A command as far as it can be told: its words, undefined where only the shell knows them. */
export interface KnownCommand {
  readonly words: readonly (string | undefined)[];
  /** Something that is not its terminal is its input: a pipe, a here-document, a here-string. */
  readonly hasInput: boolean;
}

/** What a command may be beside what its words say. */
export interface Judgement {
  /** Why nobody can tell from its text what it touches; undefined where it can be told. */
  readonly reason?: string;
  /** Scripts of a shell among its words. */
  readonly scripts: readonly string[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Programs that run what follows them. */
const wrappers = words(
  "sudo doas env nice nohup time timeout stdbuf setsid ionice chrt taskset command builtin exec xargs parallel chroot su runuser strace ltrace flock script unbuffer busybox toybox find fd watch entr npx bunx pnpx npm pnpm yarn bun caffeinate systemd-run unshare nsenter proot fakeroot firejail winpty rtk direnv dotenv cross-env",
);
/** Programs whose words with blanks are commands. */
const scriptTakers = words(
  "watch trap parallel ssh alias concurrently nodemon flock script su runuser npx npm pnpm yarn git find xargs at batch env sh bash zsh dash ksh ash tmux screen entr hyperfine make docker kubectl",
);
const shells = /^(?:ba|z|da|k|a|fi|tc|c)?sh$/;

/** Programs that run the text they are given, and the options by which they get it. */
const interpreters: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:python|pypy)[\d.]*$/, /^-[A-Za-z]*c/],
  [
    /^(?:node|nodejs|deno|bun|tsx|ts-node|iojs)$/,
    /^(?:-[a-z]*[ep][a-z]*|--eval|--print|eval)(?:$|=)/,
  ],
  [/^(?:perl|ruby|jruby|raku)[\d.]*$/, /^-[A-Za-z0-9]*[eE]/],
  [/^(?:php|hhvm)[\d.]*$/, /^-[A-Za-z]*[rRBE]/],
  [
    /^(?:lua|luajit|Rscript|R|osascript|julia|elixir|erl|groovy|scala|ghc|jshell|octave|tclsh|expect|clojure|sbcl|guile|racket|swift|pwsh|powershell|fish|nu|elvish|xonsh)[\d.]*$/,
    /^(?:-[A-Za-z]*[eEcr]|--eval|--execute|-Command)/,
  ],
  [/^(?:gdb|lldb)$/, /^(?:-ex|-eval|--eval|-x|-o|--batch)/],
  [/^(?:vim?|nvim|view|emacs|vimdiff)$/, /^(?:\+\D|-c|-e|-E|-s|-S|--cmd|--eval|-l)/],
];
/** Programs that run their input. */
const inputRunners =
  /^(?:python|pypy|node|nodejs|deno|bun|perl|ruby|irb|php|lua|luajit|R|Rscript|ghci|jshell|scala|julia|octave|sqlite3|duckdb|m4|cpp|gcc|cc|g\+\+|clang|psql|mysql|ed|ex|gdb|osascript|pwsh|fish|nu|tclsh|expect|bc|dc|crontab|at|batch|parallel|make|gmake|kubectl|docker)[\d.]*$/;
/** Programs of which nobody can tell by their words what they do. */
const opaque = words("ed ex mapfile readarray fc bind enable complete coproc dbus-send");
/** Options of archivers and copiers that name a program. */
const runningOption =
  /exec=|^--(?:to-command|use-compress-program|rsync-path|rsh)|^-[a-zA-Z]*[eIF]$|^-TT/;
const textWithCode = /\$\(|`/;
const codeReaders = words("test [ [[ let declare typeset local export readonly read printf unset");
const sql =
  /\b(?:readfile|writefile|attach|load_extension|load_file|into\s+outfile|copy|edit)\b|\\!|^\s*\./i;

/** Behind a program that runs its words, each word may be a program. */
const maxWords = 200;

const fine: Judgement = Object.freeze({ scripts: [] });
const opaqueText = "it runs text that only its program understands";

/**
 * Judges a command by its words.
 *
 * @param command - The command.
 * @returns Why it cannot be understood, and the scripts in it.
 */
export function judgeCommand({ words: given, hasInput }: KnownCommand): Judgement {
  const texts = given.map((word) => word ?? "\0");
  const scripts: string[] = [];
  const isWrapped = wrappers.has(toBase(texts[0] ?? ""));
  if (isWrapped && texts.length > maxWords) return { reason: "it is too long", scripts: [] };
  for (const [at, text] of texts.entries()) {
    if (at > 0 && !isWrapped) break;
    const program = toBase(text);
    const rest = texts.slice(at + 1);
    const reason = findReason(program, rest, hasInput);
    if (reason !== undefined) return { reason, scripts: [] };
    if (scriptTakers.has(program)) scripts.push(...toScripts(program, rest));
  }
  return scripts.length === 0 ? fine : { scripts };
}

/** Their words with blanks, and all of them together, where that is how they take a command. */
function toScripts(program: string, rest: readonly string[]): readonly string[] {
  if (shells.test(program)) return [];
  const apart = rest
    .filter((text) => /\s/.test(text))
    .map((text) => text.replace(/^[\w.-]+=|^!/, ""));
  const isText =
    program === "git" && !/^(?:rebase|bisect|submodule|filter-branch)$/.test(rest[0] ?? "");
  if (isText || program === "docker" || program === "kubectl" || program === "make") return [];
  return apart;
}

function findReason(
  program: string,
  rest: readonly string[],
  hasInput: boolean,
): string | undefined {
  if (opaque.has(program)) return opaqueText;
  if (isInline(program, rest)) return opaqueText;
  const operands = rest.filter((text) => !text.startsWith("-"));
  if (hasInput && (inputRunners.test(program) || shells.test(program)))
    if (
      operands.length === 0 ||
      /^(?:at|batch|crontab|parallel)$/.test(program) ||
      rest.some((text) => /^\/dev\/(?:stdin|fd\/)|^\/proc\/self\/fd/.test(text)) ||
      rest.includes("-") ||
      /^(?:make|gmake|kubectl|docker)$/.test(program)
    )
      return isHarmlessInput(program, rest) ? undefined : "it runs what another command writes";
  return findSpecialReason(program, rest);
}

function isHarmlessInput(program: string, rest: readonly string[]): boolean {
  const verb = rest.find((text) => !text.startsWith("-")) ?? "";
  if (/^(?:make|gmake)$/.test(program))
    return !rest.some((text) => /^(?:-f-?|--file=-|--makefile=-)$/.test(text));
  if (program === "docker") return /^(?:login|build|load|import)$/.test(verb);
  return false;
}

function isInline(program: string, rest: readonly string[]): boolean {
  if (!rest.some((text) => /^[-+]|^eval$/.test(text))) return false;
  for (const [names, options] of interpreters) {
    if (!names.test(program)) continue;
    const end = rest.findIndex((text) => !text.startsWith("-") && !text.startsWith("+"));
    const own = end === -1 ? rest : rest.slice(0, end + 1);
    return own.some((text) => options.test(text));
  }
  return false;
}

function findSpecialReason(program: string, rest: readonly string[]): string | undefined {
  const has = (pattern: RegExp): boolean => rest.some((text) => pattern.test(text));
  if (codeReaders.has(program) && has(textWithCode)) return "a variable's name holds a command";
  if (rest.some((text) => text.includes("{}") && text.includes("..")))
    return "it climbs out of what it finds";
  switch (program) {
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      return rest.some((text) => /[|`]|>\s*["(A-Za-z$]|getline|system|@load|@include/.test(text))
        ? opaqueText
        : undefined;
    case "sed":
    case "gsed":
      return findSedScripts(rest).every(isPlainSed)
        ? undefined
        : "it may read, write or run in its script";
    case "shopt":
      return has(/^-[su]/) ? "it changes how the shell reads what follows" : undefined;
    case "hash":
      return has(/^-p/) ? "it gives a command another name" : undefined;
    case "env":
      return has(/^(?:-S|--split-string|BASH_FUNC)|^-[a-z]*S/) ? opaqueText : undefined;
    case "git":
      return findGitReason(rest);
    case "make":
    case "gmake":
      return has(/^--eval/) ? opaqueText : undefined;
    case "npm":
    case "pnpm":
    case "yarn":
      return /^(?:pkg set|set-script)\b/.test(rest.join(" "))
        ? "it changes what its scripts run"
        : undefined;
    case "curl":
      return has(/^(?:-[a-zA-Z]*K-?|--config)$/)
        ? "it reads its options from elsewhere"
        : undefined;
    case "sqlite3":
    case "duckdb":
    case "psql":
    case "mysql":
      return has(sql) ? opaqueText : undefined;
    case "tar":
    case "bsdtar":
      // Names in an archive are then taken as they are, absolute ones too.
      if (has(/^--absolute-names$/) || /^-?[A-Za-z]*P/.test(rest[0] ?? "")) return opaqueText;
      return has(runningOption) ? opaqueText : undefined;
    case "rsync":
    case "zip":
      return has(runningOption) ? opaqueText : undefined;
    default:
      return undefined;
  }
}

function findSedScripts(rest: readonly string[]): readonly string[] {
  const named = rest.flatMap((text, at) => {
    if (/^(?:-[A-Za-z]*e|--expression)$/.test(text)) return [rest[at + 1] ?? "\0"];
    return /^(?:-e(?=.)|--expression=)(.*)$/s.exec(text)?.[1] ?? [];
  });
  if (named.length > 0) return named;
  if (rest.some((text) => /^(?:-[A-Za-z]*f|--file)/.test(text))) return [];
  const first = rest.find((text) => !text.startsWith("-"));
  return first === undefined ? [] : [first];
}

const gitSettings =
  /^(?:alias|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|attributesfile|askpass)|pager|protocol|diff\.|difftool|merge(?:tool)?\.|filter|sequence|credential|gpg|uploadpack|remote\.)/i;

function findGitReason(rest: readonly string[]): string | undefined {
  const changes = rest.some(
    (text, at) =>
      (rest[at - 1] === "-c" || text.startsWith("--config-env")) && gitSettings.test(text),
  );
  const isSetting =
    rest[0] === "config" &&
    rest.some((text) => gitSettings.test(text)) &&
    rest.filter((text) => !text.startsWith("-")).length > 2;
  if (changes || isSetting) return "it changes what git runs";
  return rest.some((text) => /^ext::|^--upload-pack|^--receive-pack|^--exec-path=/.test(text))
    ? "it names a program for git to run"
    : undefined;
}

/** The program's own name. */
export function toBase(text: string): string {
  const base = text.slice(text.lastIndexOf("/") + 1);
  return base.endsWith(".exe") ? base.slice(0, -4) : base;
}
