// For authors of consent stores: what every store must do, as cases for any test runner.
export { consentStoreContract } from "./consent/consent-store-contract.js";
export type { ConsentStoreSubject, ContractCase } from "./consent/consent-store-contract.js";
