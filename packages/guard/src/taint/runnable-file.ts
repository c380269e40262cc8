const suffixes: ReadonlySet<string> = new Set(
  "sh bash zsh fish ksh ps1 psm1 bat cmd vbs js mjs cjs jsx ts mts cts tsx vue svelte py pyw pyi ipynb rb pl pm php lua r go rs c cc cpp h hpp cs java kt kts scala groovy gradle swift m mm clj ex exs erl hs ml dart sql wasm so dll dylib exe jar html htm svg yml yaml toml ini cfg conf service timer socket desktop plist mk cmake tf hcl nix awk sed scpt applescript command reg lnk csproj vbproj sln props targets".split(
    " ",
  ),
);
const names: ReadonlySet<string> = new Set(
  "crontab dockerfile containerfile makefile gnumakefile justfile rakefile gemfile vagrantfile jenkinsfile procfile brewfile caddyfile build workspace package.json package-lock.json composer.json deno.json tsconfig.json jobs.json tasks.json launch.json settings.json mcp.json postern.json manifest.json authorized_keys sudoers hosts .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .kshrc .cshrc .tcshrc .inputrc .vimrc .emacs .gitconfig .gitmodules .gitattributes .npmrc .yarnrc .pypirc .env .envrc .direnvrc .xinitrc .xsession .netrc agents.md claude.md gemini.md .cursorrules .clinerules .windsurfrules copilot-instructions.md skill.md".split(
    " ",
  ),
);
const folders =
  /(?:^|\/)(?:\.git\/(?:hooks|config)|\.husky|\.github|\.gitlab|\.circleci|\.vscode|\.idea|\.devcontainer|\.claude|\.cursor|\.codex|hooks|bin|sbin|cron(?:\.[a-z]+|tabs)?|init\.d|profile\.d|systemd|autostart|launchagents|launchdaemons)(?:\/|$)/;

/**
 * Tells whether something will run, build from, or obey what a file holds: source code, scripts, hooks, build and CI
 * files, services, profiles of shells, environments, instructions for agents.
 *
 * @param path - The path, in any spelling.
 * @returns True when what is written there can become an action.
 */
export function isRunnableFile(path: string): boolean {
  const plain = path
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^file:\/\/(?:localhost)?/, "")
    .replaceAll("\\", "/")
    // Windows takes `x.sh. ` and `x.sh::$DATA` for `x.sh`.
    .replace(/(?:::?\$[a-z]+)?[\s.]*$/, "");
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  if (names.has(name) || folders.test(plain)) return true;
  if (name.startsWith(".env.") || name.startsWith("dockerfile.") || name.startsWith("makefile."))
    return true;
  return name.includes(".") && suffixes.has(name.slice(name.lastIndexOf(".") + 1));
}
