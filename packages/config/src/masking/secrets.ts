/** Stands where a secret was. */
export const mask = "***";

const secretWords = new Set(
  "key apikey token secret secrets password passwd passphrase passcode pwd pass pw credential credentials auth authorization bearer cookie session sessionid sig signature jwt pat private pin otp".split(
    " ",
  ),
);
const secretParts =
  /api_?-?key|token|secret|passw|passphrase|credential|authori[sz]ation|private_?-?key/i;

/** With one of these, a name speaks about a secret and does not hold one: `token_env`, `--max-tokens`. */
const harmlessWords = new Set(
  "env file path dir name max limit count budget timeout type ttl".split(" "),
);

/** Tells whether what stands under a name is likely a secret: `api_key`, `--token`, `X-Auth`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (words.some((word) => harmlessWords.has(word))) return false;
  return secretParts.test(name) || words.some((word) => secretWords.has(word));
}

/** The beginnings that issuers give their keys, some of which also begin ordinary words. */
const issued =
  /\b(?:sk|pk|rk|sess|key|secret|tok|ntn|lin_api|shpat|shpss|dop_v1|doo_v1|npm|pypi|hf|gsk|xai|tvly|fc|ctx7sk|sbp|figd|dckr_pat|glpat|gldt|whsec|ghp|gho|ghu|ghs|ghr|github_pat|SG|EAA|ATATT3x|ATCTT3x)[-_.][A-Za-z0-9_.~+-]{8,}/g;

/** Forms that are keys by themselves. */
const knownTokens: readonly RegExp[] = [
  /\bxox[a-z]-[A-Za-z0-9-]{8,}/g,
  /\bxapp-[A-Za-z0-9-]{8,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\bya29\.[A-Za-z0-9_-]{8,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,4}/g,
  /\b[0-9]{8,10}:[A-Za-z0-9_-]{30,}/g,
  // No more than the key: what stands behind it may be a command.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[A-Za-z0-9+/=:,\s-]|\\n)*/g,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
];
const longRun = /[A-Za-z0-9_+=~-]{20,}/g;

/** Replaces what looks like a token, wherever it stands in a text. */
export function withoutTokens(text: string): string {
  let shown = text.replace(issued, (found) => (/[0-9]/.test(found) ? mask : found));
  for (const token of knownTokens) shown = shown.replace(token, mask);
  return shown.replace(longRun, (run) => (isRandom(run) ? mask : run));
}

/** Words joined by hyphens are no key; a run of letters and digits without a word in it is one. */
function isRandom(run: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(run)) return true;
  const longest = run.split(/[-_+=~]+/).reduce((most, part) => Math.max(most, part.length), 0);
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(run)).length;
  if (kinds === 3 && (longest >= 16 || run.length >= 32)) return toEntropy(run) >= 3.5;
  return kinds === 2 && /[0-9]/.test(run) && longest >= 20 && toEntropy(run) >= 3.2;
}

/** Bits for each character (Shannon). */
function toEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
