/** Tells whether a path is one of a file that usually holds secrets. Letter case does not matter. */
export type IsSensitive = (path: string) => boolean;

/** By the name of the file alone. */
const nameGlobs: readonly string[] = [
  ".env",
  ".env.*",
  "*.env",
  ".envrc",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ecdsa_sk",
  "id_ed25519",
  "id_ed25519_sk",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.ppk",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "*.asc",
  "*.gpg",
  "*.tfvars",
  "*.tfstate",
  "*.tfstate.backup",
  "*.ovpn",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".git-credentials",
  ".dockercfg",
  ".vault-token",
  "credentials",
  "credentials.*",
  "secrets",
  "secrets.*",
  "service-account*.json",
  "client_secret*.json",
  "kubeconfig",
  "shadow",
  "gshadow",
  "wallet.dat",
  "*.mobileprovision",
  "master.key",
];

/** By the end of the path: the name, and the folders that it must lie in. */
const pathGlobs: readonly string[] = [
  ".aws/config",
  ".docker/config.json",
  ".kube/config",
  ".config/gh/hosts.yml",
  ".config/gcloud/*",
  ".azure/*",
  ".cargo/credentials.toml",
  ".gem/credentials",
];

/** Everything below. */
const folders: ReadonlySet<string> = new Set([".ssh", ".gnupg", ".password-store"]);

/** What only looks like one: made to be shown. */
const harmlessGlobs: readonly string[] = [
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.dist",
  ".env.defaults",
  "*.pub",
  "*.example",
  "*.sample",
  "known_hosts",
];

/**
 * Makes the test of file names that usually hold secrets: environment files, private keys, credentials of clouds and
 * registries.
 *
 * @param patterns - Globs (`*`, `?`) of further names, separated by commas, as `POSTERN_SENSITIVE_PATTERNS` has them;
 * they count also for names that are otherwise harmless.
 * @returns The test. It takes paths with `/` or `\`, absolute or not.
 */
export function createSensitiveNames(patterns = ""): IsSensitive {
  const own = patterns
    .split(",")
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== "");
  return (path) => {
    const levels = path.toLowerCase().split(/[\\/]/);
    const name = levels.at(-1) ?? "";
    const matches = (glob: string): boolean => isMatch(glob, name);
    if (own.some(matches)) return true;
    if (harmlessGlobs.some(matches)) return false;
    return (
      nameGlobs.some(matches) ||
      levels.slice(0, -1).some((level) => folders.has(level)) ||
      pathGlobs.some((glob) => isPathMatch(glob.split("/"), levels))
    );
  };
}

function isPathMatch(globs: readonly string[], levels: readonly string[]): boolean {
  const end = levels.slice(-globs.length);
  return end.length === globs.length && globs.every((glob, at) => isMatch(glob, end[at] ?? ""));
}

/**
 * Matches `*` and `?`. Only the last `*` is ever tried again, so no pattern costs more than its length times the name's.
 */
function isMatch(glob: string, name: string): boolean {
  let [at, from, star, retry] = [0, 0, -1, 0];
  while (from < name.length) {
    if (glob[at] === "*") {
      star = at;
      at += 1;
      retry = from;
    } else if (at < glob.length && (glob[at] === "?" || glob[at] === name[from])) {
      at += 1;
      from += 1;
    } else if (star !== -1) {
      retry += 1;
      at = star + 1;
      from = retry;
    } else return false;
  }
  while (glob[at] === "*") at += 1;
  return at === glob.length;
}
