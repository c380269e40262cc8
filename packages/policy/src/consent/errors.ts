import { defineErrors } from "@postern/errors";

/** Why a call may not use a path. */
export type Denial = "denied" | "denied_before" | "nobody_asked" | "not_shown";

const reasons: Readonly<Record<Denial, string>> = {
  denied: "nobody allowed it",
  denied_before: "it was denied until this session ends",
  nobody_asked: "nobody is asked here",
  not_shown: "what it wants is too much, or too long, to be shown to a person",
};

/** What a call is refused with for the paths it would use, and what a store of consents fails with. */
export const pathErrors = defineErrors({
  PATH_DENIED: ({
    paths,
    denial,
  }: {
    readonly paths: readonly string[];
    readonly denial: Denial;
  }) =>
    `The call was not made: it needs the owner's consent for ${paths.join(", ")}, and ${reasons[denial]}. Do it another way, or ask the owner to allow ${paths.length === 1 ? "the path" : "the paths"}.`,
  CONSENTS_BROKEN: ({ file }: { readonly file: string }) =>
    `${file} is not a file of consents of this project. Nothing in it counts, and it was left as it is: correct it, or move it away.`,
});
