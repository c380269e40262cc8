// For hosts: rules over calls.
export { govern } from "./kernel/govern.js";
export type { GovernOptions, GuardEvent, Verdict } from "./kernel/govern.js";
export type { GuardRule } from "./kernel/owner-rules.js";
export type { Decision } from "./kernel/decision.js";
export { guardErrors } from "./kernel/errors.js";
// For hosts: what follows untrusted text into later calls.
export { taintErrors } from "./taint/errors.js";
export { createTaintLedger } from "./taint/ledger.js";
export type { TaintLedger, TaintLedgerOptions } from "./taint/ledger.js";
export { taintRules } from "./taint/rules.js";
export type { TaintFinding, TaintRule } from "./taint/rules.js";
export { conversationMetaKey, trackTaint } from "./taint/track-taint.js";
export type { TaintEvent, TrackTaintOptions } from "./taint/track-taint.js";
// For whoever hands results to a model.
export { fenceUntrusted } from "./fence/fence-untrusted.js";
export type { FenceOptions } from "./fence/fence-untrusted.js";
export { neutraliseTemplateTokens } from "./fence/template-tokens.js";
