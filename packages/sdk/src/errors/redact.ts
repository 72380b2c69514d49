import { type BroadsheetError, tryRead } from './errors.ts';

/** Removes the API key from a text, in each form in which other code may have written it. */
export type Redact = (text: string) => string;

/** Creates the function that removes a key from messages, request ids and causes. The data of a call is not changed. */
export function createRedact(apiKey: string): Redact {
  const forms = [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)];
  const any = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  // A short key, such as one in a test, may also be a part of other words.
  const pattern = new RegExp(apiKey.length < 8 ? `(?<![\\w-])(?:${any})(?![\\w-])` : any, 'g');
  // Most texts do not contain the key, and a search is faster than a replacement.
  return (text) => (forms.some((form) => text.includes(form)) ? text.replace(pattern, '[key]') : text);
}

/** Removes the key from an error of the client, and from its causes. Returns the same error. */
export function redactError(error: BroadsheetError, redact: Redact): BroadsheetError {
  const clean = (name: string, value: unknown): unknown => {
    if (name === 'cause') return cleanCause(value, redact);
    if (name === 'stack') return cleanStack(String(value), redact);
    if (name === 'fields') return JSON.parse(JSON.stringify(value), clean);
    return typeof value === 'string' ? redact(value) : value;
  };
  for (const name of Object.getOwnPropertyNames(error))
    Object.defineProperty(error, name, { value: clean(name, error[name as 'message']) });
  return error;
}

/** Only the message above the frames: a short key may be part of the path of a file. */
const cleanStack = (stack: string, redact: Redact): string => stack.replace(/^[\s\S]*?(?=\n[ \t]+at |$)/, redact);

/** The cause itself if it does not contain the key, otherwise a copy without the key. */
const cleanCause = (cause: unknown, redact: Redact): unknown =>
  holdsKey(cause, redact) ? tryRead(() => copyWithout(cause, redact)) : cause;

function copyWithout(cause: unknown, redact: Redact): unknown {
  if (!(cause instanceof Error)) return redact(String(cause));
  const { name, message, stack = '' } = cause;
  const copy = new Error(redact(message), { cause: cleanCause(cause.cause, redact) });
  const code = 'code' in cause && { code: redact(String(cause.code)) };
  return Object.assign(copy, { name, stack: cleanStack(stack, redact) }, code);
}

/** Searches an error with its causes, or a request with its headers, as deeply as a log would print them. */
function holdsKey(value: unknown, redact: Redact, depth = 0): boolean {
  if (typeof value === 'string') return redact(value) !== value;
  if (typeof value !== 'object' || value === null || depth > 5) return false;
  // `headers` is a getter of Request, not an own property. What throws here throws in a log, too.
  const names = [...(tryRead(() => Reflect.ownKeys(value)) ?? []), 'headers'];
  const parts = names.map((name) => tryRead(() => (value as Readonly<Record<PropertyKey, unknown>>)[name]));
  const headers = tryRead(() => value instanceof Headers && [...value.values()]) || [];
  return [...parts, ...headers].some((one) => holdsKey(one, redact, depth + 1));
}
