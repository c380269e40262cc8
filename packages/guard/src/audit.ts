// For hosts on Node: what records calls so that nothing is changed unseen.
export { audit } from "./audit/audit.js";
export type { AuditOptions } from "./audit/audit.js";
export { openAuditLog } from "./audit/audit-log.js";
export type { AuditLog, AuditLogOptions, RecordOptions } from "./audit/audit-log.js";
export { verifyAudit } from "./audit/verify-audit.js";
export type { AuditReport, SegmentReport, SegmentState } from "./audit/verify-audit.js";
export { readAudit } from "./audit/read-audit.js";
export { auditErrors } from "./audit/errors.js";
