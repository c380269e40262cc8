import { defineErrors } from "@postern/errors";

/** What can keep a host from being opened or served. */
export const hostErrors = defineErrors({
  INVALID_CONFIGURATION: ({ problems }: { problems: readonly string[] }) =>
    `The configuration cannot be used: ${problems.join(" · ")}`,
  UNKNOWN_DOMAIN: ({ domain, known }: { domain: string; known: readonly string[] }) =>
    known.length === 0
      ? `There is no domain ${JSON.stringify(domain)}: no configuration names one.`
      : `There is no domain ${JSON.stringify(domain)}. There is: ${known.join(", ")}.`,
  UNRESOLVED_SERVER: ({ problems }: { problems: readonly string[] }) => problems.join(" "),
  NO_AUTH_REFUSED: ({ because }: { because: string }) =>
    `Serving without a bearer is refused: ${because}. Leave out --no-auth, or narrow the set with --level read_only.`,
});
