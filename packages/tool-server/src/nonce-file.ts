// For several processes of one machine that share a key.
export { createFileNonceStore } from "./round-trip/file-nonce-store.js";
