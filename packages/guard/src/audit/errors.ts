import { defineErrors } from "@postern/errors";

/** What an audit fails with. */
export const auditErrors = defineErrors({
  AUDIT_KEY_BROKEN: ({ file }: { readonly file: string }) =>
    `${file} is not the key of an audit. Move the whole folder away to begin a new one.`,
  AUDIT_FAILED: ({ reason }: { readonly reason: string }) =>
    `The call was not made: it could not be recorded (${reason}). Have the owner look at the audit's folder.`,
});
