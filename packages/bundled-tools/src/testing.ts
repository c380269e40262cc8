// For authors of search providers: what every provider must do, as cases for any test runner.
export { searchProviderContract } from "./web/search/search-provider-contract.js";
export type { ContractCase, ContractSubject } from "./web/search/search-provider-contract.js";
export type {
  FoundPage,
  ProviderAccess,
  SearchProvider,
  SearchRequest,
} from "./web/search/search-provider.js";
// For authors of search backends.
export { searchBackendContract } from "./search/search-backend-contract.js";
export type { BackendSubject } from "./search/search-backend-contract.js";
