import { PosternError } from "./postern-error.js";

/** A message: fixed text, or a function of the error's data. */
export type ErrorMessage = string | ((data: never) => string);

/** Builds one kind of error: `table.CODE(data, { cause })`. */
export type ErrorFactory<Code extends string, Message> = Message extends (
  data: infer Data extends object,
) => string
  ? (data: Readonly<Data>, options?: { readonly cause?: unknown }) => PosternError<Code, Data>
  : (
      data?: Readonly<Record<string, unknown>>,
      options?: { readonly cause?: unknown },
    ) => PosternError<Code, Record<string, unknown>>;

/** A table of codes, each with the factory of its error. */
export type ErrorFactories = Readonly<Record<string, (...args: never) => PosternError>>;

/** The union of the errors of a table; `switch (error.code)` narrows `data`. */
export type ErrorOf<Table extends ErrorFactories> = ReturnType<Table[keyof Table]>;

/**
 * Declares a package's errors: one table of code → message.
 *
 * @param messages - Fixed text, or a function from the error's data to text. Data must be safe to show.
 * @returns One factory per code, frozen. `Object.keys` of it lists the codes.
 * @example
 * ```ts
 * const errors = defineErrors({ NOT_FOUND: (data: { name: string }) => `There is no ${data.name}.` });
 * throw errors.NOT_FOUND({ name: "x" }, { cause });
 * ```
 */
export function defineErrors<const Messages extends Readonly<Record<string, ErrorMessage>>>(
  messages: Messages,
): { readonly [Code in keyof Messages & string]: ErrorFactory<Code, Messages[Code]> } {
  const factory =
    (code: string, message: ErrorMessage) =>
    (data: object = {}, options: { readonly cause?: unknown } = {}): PosternError =>
      new PosternError(code, typeof message === "string" ? message : message(data as never), {
        data: Object.freeze({ ...data }),
        cause: options.cause,
      });
  const table = Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [code, factory(code, message)]),
  );
  return Object.freeze(table) as unknown as {
    readonly [Code in keyof Messages & string]: ErrorFactory<Code, Messages[Code]>;
  };
}
