import { defineErrors } from "@postern/errors";
import { toQuoted } from "@postern/tool";

const show = (name: string): string => toQuoted(name, 200) ?? "of a long name";

/** What a call is refused with by the taint ledger. */
export const taintErrors = defineErrors({
  TAINTED_CALL_REFUSED: ({ tool, reasons }: { tool: string; reasons: readonly string[] }) =>
    `The tool ${show(tool)} was not called: ${reasons.join("; ")}. The owner must allow such a call, and did not. Go on without it, or tell the owner what you want to do and why.`,
  ALREADY_DONE: ({ tool }: { tool: string }) =>
    `The tool ${show(tool)} was already called with exactly these arguments in this conversation, and is not called twice. If it must happen again, change the arguments or ask the owner.`,
});
