/** A leaf; `?` after it lets it be null. */
export type Kind = 'string' | 'instant' | 'integer' | 'boolean' | 'ok' | 'true' | 'false';

/**
 * The least an answer must be. `?` after a field lets it be absent; unknown fields and unknown values of
 * enumerations always pass, since a newer server may send them.
 */
export type Shape =
  | Kind
  | `${Kind}?`
  | readonly [Shape]
  | { readonly on: string; readonly cases: Readonly<Record<string, Shape>> }
  | { readonly [field: string]: Shape };
