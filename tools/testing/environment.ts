/**
 * The environment of a program under test: as a user starts it, without any setting of the product. A program that needs
 * a setting names it, and `tools/settings.test.ts` lists it with the reason.
 */
export function programEnvironment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...settings };
}
