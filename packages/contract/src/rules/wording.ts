/** One field that is not valid; `field` is a dotted path such as `slots.3.format`. */
export interface FieldError {
  field: string;
  message: string;
  code: string;
}

/** A problem of a value: its path, a sentence without a subject, and a code. */
export interface Problem {
  readonly path: PropertyKey[];
  readonly text: string;
  readonly code: string;
}

/** A problem as the API reports it: a dotted path such as `slots.3.format`, a sentence and a code. */
export function fieldError({ path, text, code }: Problem): FieldError {
  const field = path.map(String).join('.');
  return { field, message: `${field || 'body'}: ${text}`, code };
}

export const MISSING = { text: 'is required', code: 'required' } as const;

/** A value of another type. */
export const wrongType = (expected: string, value: unknown): string =>
  `expected ${article(expected)}, received ${nameOf(value)}`;

/** A value that is not allowed. */
export const wrongValue = (values: readonly unknown[], value: unknown): string =>
  `expected ${values.map((one) => JSON.stringify(one)).join(' or ')}, received ${show(value)}`;

/** A string of another format. */
export const wrongForm = (expected: string, value: unknown): string => `expected ${expected}, received ${show(value)}`;

/** The formats that a rule can require of a string. */
export const FORMS = {
  datetime: 'an ISO 8601 date-time such as 2026-01-31T09:00:00.000Z',
  guid: 'a UUID',
  url: 'a URL',
  digits: 'a whole number in decimal digits',
  zone: 'the name of a time zone, such as Europe/Berlin, America/New_York or UTC',
  place: 'the id of a slot, with * only at its end, such as top or letterpress-*',
  key: 'characters of A-Za-z0-9_-',
} as const;

export const tooSmall = (bound: number, unit?: string): string => `must be at least ${size(bound, unit)}`;
export const tooBig = (bound: number, unit?: string): string => `must be at most ${size(bound, unit)}`;
export const unknownKeys = (keys: readonly string[]): string => `unknown: ${keys.join(', ')}`;

/** A value, for a sentence. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function size(bound: number, unit: string | undefined): string {
  return unit ? `${bound} ${unit}${bound === 1 ? '' : 's'} long` : String(bound);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string' || typeof value === 'number') return show(value);
  return Array.isArray(value) ? 'an array' : article(typeof value);
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
