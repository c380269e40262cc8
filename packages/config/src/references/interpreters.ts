/** How a program is told to run a text, and where its options end. */
export interface Interpreter {
  /** A word that makes the words after it, and itself, a program text. */
  readonly code?: RegExp;
  /** Long options that do the same, also abbreviated or with `=`. */
  readonly codeOptions?: readonly string[];
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** An option after which nothing is text any more: what follows is for a script or a module. */
  readonly ends?: RegExp;
  /** Words that are no script: options may follow them. */
  readonly subcommands?: readonly string[];
  /** Subcommands whose words are program text. */
  readonly codeWords?: readonly string[];
  /** Options are looked for among all words, not only before the first that is none. */
  readonly anywhere?: boolean;
  /** Every word may reach a shell or is a program. */
  readonly always?: boolean;
  /** The name is also an ordinary word: it counts only where a command stands. */
  readonly onlyAsCommand?: boolean;
}

const shell: Interpreter = {
  code: /^[-+][A-Za-z]*[cC]/,
  codeOptions: ["--command", "--init-command"],
  valued: /^(?:[-+][A-Za-z]*[oO]|--rcfile|--init-file)$/,
};

const node: Interpreter = {
  code: /^-[a-z]*[ep]/,
  // These take a `data:` address, which is program text.
  codeOptions: ["--eval", "--print", "--import", "--loader", "--experimental-loader"],
  valued:
    /^(?:-[rCPO]|--(?:require|conditions|env-file|env-file-if-exists|title|icu-data-dir|input-type|max-http-header-size|redirect-warnings|unhandled-rejections|disable-warning|diagnostic-dir|openssl-config|stack-trace-limit|tsconfig|project|compiler-options|dns-result-order|inspect-port|watch-path|localstorage-file))$/,
  subcommands: ["inspect", "watch"],
};

const python: Interpreter = {
  code: /^-[^WXmc-]*c/,
  ends: /^-[^WXmc-]*m/,
  valued: /^-[^WXmc-]*[WX]$|^--check-hash-based-pycs$/,
};

const perl: Interpreter = { code: /^-(?:[^IMmFxCD-]*[eE]|[Mm])/, valued: /^-[IFx]$/ };

const ruby: Interpreter = { code: /^-[^IrCEKTWFxi0-]*e/, valued: /^-[IrCE]$/ };

const php: Interpreter = {
  code: /^-[rBRE]/,
  codeOptions: ["--run", "--process-begin", "--process-code", "--process-end"],
  valued: /^-[cdzStf]$/,
};

/** Programs with `-e TEXT` and the like. */
const evaluator: Interpreter = {
  code: /^-[eEc]/,
  codeOptions: ["--eval", "--print", "--execute", "--command"],
};

const bun: Interpreter = {
  code: /^-[a-z]*[ep]/,
  codeOptions: ["--eval", "--print"],
  valued: /^(?:-[rc]|--(?:preload|cwd|env-file|config))$/,
  subcommands: ["run", "x", "test"],
  codeWords: ["exec"],
};

const deno: Interpreter = {
  codeOptions: ["--eval"],
  valued: /^(?:-[cL]|--(?:config|import-map|env-file|location|log-level|cert|seed))$/,
  subcommands: ["run", "repl", "serve", "task", "test", "x"],
  codeWords: ["eval"],
};

const npx: Interpreter = {
  code: /^-[A-Za-z]*c/,
  codeOptions: ["--call", "--shell-mode"],
  valued:
    /^(?:-[pwCF]|--(?:package|prefix|registry|cache|userconfig|workspace|loglevel|dir|filter))$/,
  subcommands: ["exec", "dlx", "x"],
};

/** Takes its own options also after the package's name. */
const npm: Interpreter = { ...npx, anywhere: true };

const switchUser: Interpreter = {
  code: /^-[A-Za-z]*c/,
  codeOptions: ["--command", "--session-command", "--run"],
  anywhere: true,
  onlyAsCommand: true,
};

const env: Interpreter = {
  code: /^-[A-Za-z0]*S/,
  codeOptions: ["--split-string"],
  valued: /^(?:-[A-Za-z0]*[uCP]|--unset|--chdir)$/,
};

const runner: Interpreter = {
  code: /^-[A-Za-z]*x/,
  codeOptions: ["--exec"],
  anywhere: true,
  onlyAsCommand: true,
};

/** Programs that put secrets into variables and then start a command, which may be given as text. */
const secretRunner: Interpreter = {
  codeOptions: ["--command"],
  anywhere: true,
  onlyAsCommand: true,
};

const always: Interpreter = { always: true };
const alwaysAsCommand: Interpreter = { always: true, onlyAsCommand: true };

const families: readonly (readonly [Interpreter, string])[] = [
  [shell, "sh bash rbash zsh dash ash ksh mksh pdksh yash fish csh tcsh nu xonsh elvish git-bash"],
  [node, "node nodejs tsx ts-node ts-node-esm ts-node-script babel-node vite-node electron"],
  [python, "python pythonw pypy py ipython micropython jython"],
  [perl, "perl raku"],
  [ruby, "ruby jruby truffleruby"],
  [php, "php php-cgi"],
  [
    evaluator,
    "lua luajit osascript rscript julia elixir iex erl ghc runghc scala groovy clojure clj bb racket guile sbcl clisp emacs swift jshell crystal expect octave mongo mongosh zx vim nvim gdb lldb psql mysql",
  ],
  [bun, "bun"],
  [deno, "deno"],
  [npx, "npx pnpx bunx pnpm yarn"],
  [npm, "npm"],
  [env, "env"],
  [switchUser, "su runuser sg script flock nix-shell"],
  [runner, "nodemon"],
  [secretRunner, "doppler infisical"],
  [always, "cmd ssh wsl adb cross-env-shell concurrently gawk mawk nawk awk mshta rundll32"],
  [alwaysAsCommand, "watch make gmake sed parallel eval r tmux screen"],
];

/** Programs that start the program named after them. */
export const wrappers: ReadonlySet<string> = new Set(
  "env sudo doas nice ionice nohup timeout stdbuf setsid time xargs command exec busybox toybox npx pnpx bunx pnpm yarn npm bun uv uvx dotenv cross-env tini dumb-init catchsegv strace chroot unshare firejail".split(
    " ",
  ),
);

/** The programs that run text, by name. */
export const interpreters: ReadonlyMap<string, Interpreter> = new Map(
  families.flatMap(([interpreter, names]) => names.split(" ").map((name) => [name, interpreter])),
);
