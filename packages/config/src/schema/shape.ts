/**
 * The form of a value in a file. One table of these drives the parser and the JSON Schemas for editors, so that the
 * two cannot drift apart.
 */
export type Shape =
  | StringShape
  | BooleanShape
  | NumberShape
  | ListShape
  | MapShape
  | ObjectShape
  | AnyObjectShape
  | ChoiceShape;

interface Described {
  /** A sentence for whoever writes the file. */
  readonly description?: string;
}

/** A text. A NUL character is never allowed: no operating system takes one in an argument, a variable or a path. */
export interface StringShape extends Described {
  readonly kind: "string";
  /** The texts that are allowed; absent = any. */
  readonly values?: readonly string[];
  /** A form every value has, and the same in words: `a name of letters, digits and _`. */
  readonly form?: { readonly pattern: string; readonly words: string };
  /** What to say about well-known wrong values, by value. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** True or false. */
export interface BooleanShape extends Described {
  readonly kind: "boolean";
  /** Whether null may stand for "not said". */
  readonly nullable?: boolean;
}

/** A number of seconds; 0 only where `zero` is true. */
export interface NumberShape extends Described {
  readonly kind: "seconds";
  readonly zero: boolean;
  readonly max: number;
}

/** An array. */
export interface ListShape extends Described {
  readonly kind: "list";
  readonly of: Shape;
  readonly notEmpty?: boolean;
}

/** An object with keys of the writer's choice. */
export interface MapShape extends Described {
  readonly kind: "map";
  readonly keys: { readonly pattern: string; readonly words: string };
  readonly of: Shape;
}

/** An object with known keys, each of which may be left out unless `required` names it. */
export interface ObjectShape extends Described {
  readonly kind: "object";
  readonly fields: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** `refuse`: an unknown key is an error; `keep`: a warning, since another program may read it; `ignore`: nothing. */
  readonly unknown: "refuse" | "keep" | "ignore";
  /** What to say about well-known foreign keys, by key. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Sets of keys of which exactly one must be there, with a text that is not empty. */
  readonly oneOf?: readonly string[];
}

/** Any object; its keys are read by someone else. */
export interface AnyObjectShape extends Described {
  readonly kind: "any-object";
}

/** One of two objects, told apart by whether `key` is there. */
export interface ChoiceShape extends Described {
  readonly kind: "choice";
  readonly key: string;
  readonly present: ObjectShape;
  readonly absent: ObjectShape;
}
