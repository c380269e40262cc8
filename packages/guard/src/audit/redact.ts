const secrets =
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\s\S]*?(?:-----END|$)|\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|\bBearer\s+[\w.~+/-]{8,}=*|(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)|(?<=\b(?:password|passwd|secret|token|api[_-]?key)["']?\s{0,3}[=:]\s{0,3}["']?)[^\s"']{4,200}/gi;

/**
 * Takes what looks like a secret out of a text.
 *
 * @param text - The text.
 * @returns The text, with `[redacted]` in its place.
 */
export function redact(text: string): string {
  return text.replaceAll(secrets, "[redacted]");
}
