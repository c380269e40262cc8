import type { ErrorFactories, ErrorOf } from "./define-errors.js";
import { errorBrand, type PosternError } from "./postern-error.js";

/**
 * Tells whether a value is a {@link PosternError}, also one made by another installed copy.
 *
 * @param value - Anything that was thrown.
 * @param table - With a table, only that table's codes count, and `switch (error.code)` narrows `data`.
 * @returns True for such an error.
 */
export function isPosternError(value: unknown): value is PosternError;
export function isPosternError<Table extends ErrorFactories>(
  value: unknown,
  table: Table,
): value is ErrorOf<Table>;
export function isPosternError(value: unknown, table?: ErrorFactories): boolean {
  if (!(value instanceof Error) || !Object.hasOwn(value, errorBrand)) return false;
  return table === undefined || Object.hasOwn(table, (value as PosternError).code);
}
