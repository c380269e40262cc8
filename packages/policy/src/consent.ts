// For hosts on Node: where consents are kept, and where paths lead.
export { createFileConsentStore } from "./consent/consent-file.js";
export { toRealPath } from "./consent/real-path.js";
