import { LIMITS } from '../limits.ts';

// The rules for requests and snapshots, as data. `accept` reads an input by a rule, and `schemaOf` creates a schema from
// it: a rule is defined once, and a page that runs the mock does not load the schema library (decisions/0007).

/** The bounds of a text's or list's length, or of a number. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

type Definition =
  | ({ readonly kind: 'text' | 'key' | 'term' | 'digits' } & Bounds)
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'id' | 'timestamp' | 'guid' | 'zone' | 'place' }
  | ({ readonly kind: 'integer' } & Bounds)
  | { readonly kind: 'flag' }
  | ({ readonly kind: 'address'; readonly schemes: readonly string[] } & Bounds)
  | ({ readonly kind: 'list'; readonly item: Rule } & Bounds)
  | Omit<RecordRule, 'types'>
  | { readonly kind: 'nullable' | 'optional'; readonly inner: Rule }
  | { readonly kind: 'fallback'; readonly inner: Rule; readonly value: unknown };

/** The requirements of a value, which is written as `In` and read as `Out`. */
export type Rule<Out = unknown, In = Out> = Definition & {
  /** Exists only for the compiler. */
  readonly types?: { readonly out: Out; readonly in: In };
};

/** The rule of an object with its fields. */
export interface RecordRule<Out = unknown, In = Out> {
  readonly kind: 'record';
  readonly fields: Readonly<Record<string, Rule>>;
  readonly strict: boolean;
  readonly types?: { readonly out: Out; readonly in: In };
}

/** The type of the values that a rule returns. */
export type OutputOf<R extends Rule> = NonNullable<R['types']>['out'];
/** The type of the inputs that a rule accepts; fields with a fallback are optional. */
export type InputOf<R extends Rule> = NonNullable<R['types']>['in'];

type RuleFields = Readonly<Record<string, Rule>>;
type Plain<T> = { [K in keyof T]: T[K] };
type WithOptional<T> = Plain<
  { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
  }
>;
type Read<F extends RuleFields> = WithOptional<{ -readonly [K in keyof F]: OutputOf<F[K]> }>;
type Written<F extends RuleFields> = WithOptional<{ -readonly [K in keyof F]: InputOf<F[K]> }>;

/** Any string; `min` and `max` count code points. */
export const text = (bounds: Bounds = {}): Rule<string> => ({ kind: 'text', ...bounds });

/** The name of a blog, a label, a sponsor, a person and so on. */
export const name = text(LIMITS.name);
/** A title, or another text of one line. */
export const line = text(LIMITS.line);
export const paragraph = text(LIMITS.paragraph);

/** An id or a slug: any characters, and a length that every database can index. */
export const id: Rule<string> = { kind: 'id' };

/** A string of `A-Za-z0-9_-`. */
export const key = (bounds: Bounds): Rule<string> => ({ kind: 'key', ...bounds });

/** A search term: white space is trimmed and collapsed before it is measured. */
export const term = (bounds: Bounds): Rule<string> => ({ kind: 'term', ...bounds });

/** An integer in a query string: only decimal digits, so not `1e1`, ` 1`, `0x1`, `1.0` or an empty string. */
export const digits = ({
  default: value,
  ...bounds
}: Bounds & { readonly default: number }): Rule<number, string | undefined> =>
  fallback<number, string>({ kind: 'digits', ...bounds }, value);

/** One of these strings. */
export const choice = <const V extends string>(values: readonly V[]): Rule<V> => ({ kind: 'choice', values });

/** An integer in JSON. */
export const integer: Rule<number> = { kind: 'integer' };
/** A count: a whole number above zero, in JSON. */
export const amount: Rule<number> = { kind: 'integer', min: 1 };
export const flag: Rule<boolean> = { kind: 'flag' };
/** An ISO 8601 timestamp with any time zone. It is converted to UTC with milliseconds (api.md 2), so that text sorts as time. */
export const timestamp: Rule<string> = { kind: 'timestamp' };
/** A string in the format of a UUID of any version. */
export const guid: Rule<string> = { kind: 'guid' };

/** The name of a time zone in the IANA database. */
export const zone: Rule<string> = { kind: 'zone' };

/** The id of a slot; a `*` at the end matches all ids that start that way. */
export const place: Rule<string> = { kind: 'place' };

/** A URL, absolute or relative to the page, with one of these schemes. Schemes that run code are refused. */
export const address = (schemes: readonly string[], bounds: Bounds = {}): Rule<string> => ({
  kind: 'address',
  schemes,
  ...bounds,
});

/** A list whose items follow the same rule. */
export const list = <O, I>(item: Rule<O, I>, bounds: Bounds = {}): Rule<O[], I[]> => ({
  kind: 'list',
  item,
  ...bounds,
});

/** An object; unknown fields are removed. */
export const record = <F extends RuleFields>(fields: F): RecordRule<Read<F>, Written<F>> => ({
  kind: 'record',
  fields,
  strict: false,
});

/** An object without unknown fields. */
export const strictRecord = <F extends RuleFields>(fields: F): RecordRule<Read<F>, Written<F>> => ({
  kind: 'record',
  fields,
  strict: true,
});

export const nullable = <O, I>(inner: Rule<O, I>): Rule<O | null, I | null> => ({ kind: 'nullable', inner });
export const optional = <O, I>(inner: Rule<O, I>): Rule<O | undefined, I | undefined> => ({ kind: 'optional', inner });

/** The fields that may be absent, with their default values. */
export type DefaultsOf<Out, In> = {
  [K in keyof In & keyof Out as undefined extends In[K] ? (undefined extends Out[K] ? never : K) : never]: Out[K];
};

export function defaultsOf<Out, In>({ fields }: RecordRule<Out, In>): DefaultsOf<Out, In> {
  const defaults = Object.entries(fields).flatMap(([name, rule]) =>
    rule.kind === 'fallback' ? [[name, rule.value] as const] : [],
  );
  return Object.fromEntries(defaults) as DefaultsOf<Out, In>;
}

/** An absent value is read as this one. */
export const fallback = <O, I = O>(inner: Rule<O, I>, value: O): Rule<O, I | undefined> => ({
  kind: 'fallback',
  inner,
  value,
});
