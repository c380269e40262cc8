// For everyone who handles errors.
export { PosternError } from "./postern-error.js";
export { isPosternError } from "./is-postern-error.js";
// For authors of packages that throw them.
export { defineErrors } from "./define-errors.js";
export type { ErrorFactories, ErrorFactory, ErrorMessage, ErrorOf } from "./define-errors.js";
