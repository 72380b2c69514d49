import type { BroadsheetError } from './errors.ts';

/** Takes the API key out of a text, in each form in which something else may have written it. */
export type Redact = (text: string) => string;

/** Makes the function that takes a key out of what the client says: messages, request ids, causes. Data is not its business. */
export function createRedact(apiKey: string): Redact {
  const forms = [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)];
  const any = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  // A short key, such as one of a test, is also a part of other words.
  const pattern = new RegExp(apiKey.length < 8 ? `(?<![\\w-])(?:${any})(?![\\w-])` : any, 'g');
  return (text) => text.replace(pattern, '[key]');
}

/** Takes the key out of an error of the client, and out of what caused it. */
export function redactError(error: BroadsheetError, redact: Redact): void {
  const clean = (name: string, value: unknown): unknown => {
    if (name === 'cause') return cleanCause(value, redact);
    if (name === 'stack') return cleanStack(String(value), redact);
    if (name === 'fields') return JSON.parse(JSON.stringify(value), clean);
    return typeof value === 'string' ? redact(value) : value;
  };
  for (const name of Object.getOwnPropertyNames(error))
    Object.defineProperty(error, name, { value: clean(name, error[name as 'message']) });
}

/** Only what stands above the frames: a short key may be part of the path of a file. */
const cleanStack = (stack: string, redact: Redact): string => stack.replace(/^[\s\S]*?(?=\n\s+at |$)/, redact);

/** The cause itself when the key is nowhere in it, else a copy of its words. */
function cleanCause(cause: unknown, redact: Redact): unknown {
  if (!holdsKey(cause, redact)) return cause;
  if (!(cause instanceof Error)) return redact(String(cause));
  const { name, message, stack = '' } = cause;
  const copy = new Error(redact(message), { cause: cleanCause(cause.cause, redact) });
  return Object.assign(
    copy,
    { name, stack: cleanStack(stack, redact) },
    'code' in cause && { code: redact(String(cause.code)) },
  );
}

/** Looks through an error with its causes, or a request with its headers, as deep as anybody would print it. */
function holdsKey(value: unknown, redact: Redact, depth = 0): boolean {
  if (typeof value === 'string') return redact(value) !== value;
  if (typeof value !== 'object' || value === null || depth > 5) return false;
  const fields = value as Readonly<Record<PropertyKey, unknown>>;
  return [
    ...Reflect.ownKeys(value).map((name) => fields[name]),
    fields['headers'], // of a Request it is no property of its own
    ...(value instanceof Headers ? value.values() : []),
  ].some((inner) => holdsKey(inner, redact, depth + 1));
}
