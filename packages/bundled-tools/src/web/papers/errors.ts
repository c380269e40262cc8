import { defineErrors } from "@postern/errors";

interface Reason {
  /** What went wrong, in a few words that may be shown. Nothing that a server wrote. */
  readonly reason: string;
}

interface Failures {
  /** Each source that was asked, and why it has nothing. */
  readonly failures: string;
}

/** Why a search of papers failed, as a whole or at one source; one failed source alone fails no call. */
export const paperErrors = defineErrors({
  PAPER_QUERY_BLANK: "The query has no words to search for. Say what the papers are about.",
  PAPER_SOURCES_FAILED: ({ failures }: Failures) =>
    `No source of papers answered. ${failures} Try again later.`,
  PAPER_SOURCE_LIMITED: ({ reason }: Reason & { readonly retryAfterMs: number | null }) =>
    `The source takes no more now: ${reason}.`,
  PAPER_SOURCE_FAILED: ({ reason }: Reason) => `The source failed: ${reason}.`,
});
