// For authors of nonce stores: what every store must do, as cases for any test runner.
export { nonceStoreContract } from "./round-trip/nonce-store-contract.js";
export type { ContractCase, NonceStoreSubject } from "./round-trip/nonce-store-contract.js";
export type { NonceStore } from "./round-trip/nonce-store.js";
