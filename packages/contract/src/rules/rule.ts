// What the API takes in, said as data: requests and snapshots. `accept` reads by it and `schemaOf` makes a schema of it,
// so that a rule stands once, and a page that runs the mock does not load the schema library (decisions/0007).

/** How long a text or a list, or how large a number may be. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

type Definition =
  | ({ readonly kind: 'text' | 'key' | 'term' | 'digits' } & Bounds)
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'instant' | 'guid' }
  | ({ readonly kind: 'integer' } & Bounds)
  | { readonly kind: 'flag' }
  | { readonly kind: 'address'; readonly schemes: readonly string[] }
  | ({ readonly kind: 'list'; readonly item: Rule } & Bounds)
  | Omit<RecordRule, 'types'>
  | { readonly kind: 'nullable' | 'optional'; readonly inner: Rule }
  | { readonly kind: 'fallback'; readonly inner: Rule; readonly value: unknown };

/** What a value must be: `Out` once it is read, written as `In`. */
export type Rule<Out = unknown, In = Out> = Definition & {
  /** Exists for the compiler alone. */
  readonly types?: { readonly out: Out; readonly in: In };
};

/** The rule of an object, whose fields can be named. */
export interface RecordRule<Out = unknown, In = Out> {
  readonly kind: 'record';
  readonly fields: Readonly<Record<string, Rule>>;
  readonly strict: boolean;
  readonly types?: { readonly out: Out; readonly in: In };
}

/** What a rule reads. */
export type OutputOf<R extends Rule> = NonNullable<R['types']>['out'];
/** What a rule takes, with what has a fallback left out. */
export type InputOf<R extends Rule> = NonNullable<R['types']>['in'];

type Fields = Readonly<Record<string, Rule>>;
type Plain<T> = { [K in keyof T]: T[K] };
type WithOptional<T> = Plain<
  { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
  }
>;
type Read<F extends Fields> = WithOptional<{ -readonly [K in keyof F]: OutputOf<F[K]> }>;
type Written<F extends Fields> = WithOptional<{ -readonly [K in keyof F]: InputOf<F[K]> }>;

/** Any text; `min` and `max` count code points. */
export const text = (bounds: Bounds = {}): Rule<string> => ({ kind: 'text', ...bounds });

/** A text of `A-Za-z0-9_-`. */
export const key = (bounds: Bounds): Rule<string> => ({ kind: 'key', ...bounds });

/** A search term: white space is trimmed and collapsed before it is measured. */
export const term = (bounds: Bounds): Rule<string> => ({ kind: 'term', ...bounds });

/** A whole number in a query string: decimal digits and nothing else, so not `1e1`, ` 1`, `0x1`, `1.0` or nothing. */
export const digits = ({
  default: value,
  ...bounds
}: Bounds & { readonly default: number }): Rule<number, string | undefined> =>
  fallback<number, string>({ kind: 'digits', ...bounds }, value);

/** One of these words. */
export const choice = <const V extends string>(values: readonly V[]): Rule<V> => ({ kind: 'choice', values });

/** A whole number, as JSON has it. */
export const integer: Rule<number> = { kind: 'integer' };
/** How many: a whole number above zero, as JSON has it. */
export const amount: Rule<number> = { kind: 'integer', min: 1 };
export const flag: Rule<boolean> = { kind: 'flag' };
/** An instant in ISO 8601, in any zone; it is read as UTC with milliseconds (api.md 2), so that text sorts as time. */
export const instant: Rule<string> = { kind: 'instant' };
/** A UUID by its form: what made it, and by which version, does not matter. */
export const guid: Rule<string> = { kind: 'guid' };

/** An address on the web, whole or relative to the page; a scheme that runs code cannot come in. */
export const address = (schemes: readonly string[]): Rule<string> => ({ kind: 'address', schemes });

/** A list of what one rule allows. */
export const list = <O, I>(item: Rule<O, I>, bounds: Bounds = {}): Rule<O[], I[]> => ({
  kind: 'list',
  item,
  ...bounds,
});

/** An object; fields that are not named are left out. */
export const record = <F extends Fields>(fields: F): RecordRule<Read<F>, Written<F>> => ({
  kind: 'record',
  fields,
  strict: false,
});

/** An object without fields that are not named. */
export const strictRecord = <F extends Fields>(fields: F): RecordRule<Read<F>, Written<F>> => ({
  kind: 'record',
  fields,
  strict: true,
});

export const nullable = <O, I>(inner: Rule<O, I>): Rule<O | null, I | null> => ({ kind: 'nullable', inner });
export const optional = <O, I>(inner: Rule<O, I>): Rule<O | undefined, I | undefined> => ({ kind: 'optional', inner });

/** The fields that may be left out, with the values that they are then read as. */
export type DefaultsOf<Out, In> = {
  [K in keyof In & keyof Out as undefined extends In[K] ? (undefined extends Out[K] ? never : K) : never]: Out[K];
};

export function defaultsOf<Out, In>({ fields }: RecordRule<Out, In>): DefaultsOf<Out, In> {
  const defaults = Object.entries(fields).flatMap(([name, rule]) =>
    rule.kind === 'fallback' ? [[name, rule.value] as const] : [],
  );
  return Object.fromEntries(defaults) as DefaultsOf<Out, In>;
}

/** What is left out is read as this value. */
export const fallback = <O, I = O>(inner: Rule<O, I>, value: O): Rule<O, I | undefined> => ({
  kind: 'fallback',
  inner,
  value,
});
