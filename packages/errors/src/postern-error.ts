/** Registered, so that two installed copies of this package recognise each other's errors. */
export const errorBrand = Symbol.for("dev.postern.error");

/**
 * The one error class of Postern.
 *
 * `code` is what the wire says and is stable; `message` says what happened and what to do, and may change;
 * `data` is small and safe to show. `cause` is for logs: {@link PosternError.toJSON} leaves it out.
 */
export class PosternError<
  Code extends string = string,
  Data extends object = object,
> extends Error {
  /** Stable code, for instance `UNKNOWN_TOOL`. */
  readonly code: Code;
  /** Small facts about the failure that are safe to show to anyone. */
  readonly data: Readonly<Data>;

  /**
   * @param code - The stable code, one of a table made by `defineErrors`.
   * @param message - What happened and what to do.
   * @param details - `data` is safe to show; `cause` goes to logs only.
   */
  constructor(
    code: Code,
    message: string,
    details: { readonly data: Readonly<Data>; readonly cause?: unknown },
  ) {
    // The `cause` that Error makes of this is not enumerable: what copies or serialises fields leaves it behind.
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "PosternError";
    this.code = code;
    this.data = details.data;
    Object.defineProperty(this, errorBrand, { value: true });
  }

  /**
   * Gives what may leave the process.
   *
   * @returns `{ error: code, message, ...data }`; never the cause or the stack.
   */
  toJSON(): Data & { error: Code; message: string } {
    return { ...this.data, error: this.code, message: this.message };
  }
}
