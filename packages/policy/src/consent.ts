// For hosts on Node: where consents are kept, and where paths lead.
export { createFileConsentStore } from "./consent/consent-file.js";
export { findMatches, toRealPath } from "./consent/real-path.js";
