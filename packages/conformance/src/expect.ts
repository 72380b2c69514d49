/** Thrown by a case when the response is not what the document specifies. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** Checks a statement; `what` is the statement as text. */
export function holds(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Disagreement(`failed check: ${what}`);
}

/** Returns the value, which must not be null or undefined. */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Disagreement(`${what} is missing`);
  return value;
}

/** Checks that two JSON-like values are the same, key for key. The error names the first difference. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const parting = difference(actual, expected, what);
  if (parting) throw new Disagreement(parting);
}

/** Checks that a string matches a pattern. */
export function matches(actual: unknown, pattern: RegExp, what: string): void {
  if (typeof actual !== 'string' || !pattern.test(actual)) {
    throw new Disagreement(`${what}: expected ${pattern}, found ${show(actual)}`);
  }
}

/** Checks that the call fails, with any error. */
export async function refused(call: () => unknown, what: string): Promise<void> {
  try {
    await call();
  } catch {
    return;
  }
  throw new Disagreement(`${what} was accepted`);
}

/** A value as a short text for a message. */
export function show(value: unknown): string {
  const text = typeof value === 'undefined' ? 'undefined' : (JSON.stringify(value) ?? String(value));
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}

function difference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  const parting = `${path}: expected ${show(expected)}, found ${show(actual)}`;
  if (!isObject(actual) || !isObject(expected) || Array.isArray(actual) !== Array.isArray(expected)) return parting;
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) {
    return `${path}: expected ${expected.length} items, found ${actual.length}: ${show(actual)} for ${show(expected)}`;
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = difference(actual[key], expected[key], `${path}.${key}`);
    if (found) return found;
    if (Object.hasOwn(actual, key) !== Object.hasOwn(expected, key)) return `${path}.${key}: exists on one side only`;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
