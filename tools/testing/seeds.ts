/**
 * The seeds of a random test: those with which it once failed, or 1. They are the gate of a change. With `TEST_SEED` it
 * is that one only: `pnpm new-seeds` draws new ones after the tests, and prints the command that repeats a failure. A
 * seed that fails is added here, in the commit with its fix.
 */
export function seedsOf(...failed: readonly number[]): readonly number[] {
  const text = process.env['TEST_SEED'];
  if (text === undefined) return failed.length > 0 ? failed : [1];
  if (!/^\d{1,9}$/.test(text)) throw new Error(`TEST_SEED: expected up to nine digits, received "${text}"`);
  return [Number(text)];
}
