import type { Redact } from '../errors/redact.ts';

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

/** The start of a text, for an error. The key is removed before the text is cut, so that no part of it remains. */
export const excerpt = (text: string, redact: Redact): string => cut(redact(text), 500);

/** The message in JSON that is not from the API, in quotes: `{ message }`, `{ error: 'text' }`, `{ error: { message } }`. */
export function quoted(body: unknown, redact: Redact): string {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  const said = [message, error, (error as { message?: unknown } | undefined)?.message].find(
    (one) => typeof one === 'string',
  );
  return said === undefined ? '' : JSON.stringify(cut(redact(said as string), 200));
}
