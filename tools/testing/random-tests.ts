import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = '{packages,tools,bench,docs}/**/*.ts';
const isTest = (file: string): boolean => file.endsWith('.test.ts');

/** The test files that draw random input, and the files beside them that do it for them, such as suites. */
export function randomTests(): { readonly tests: readonly string[]; readonly drawing: readonly string[] } {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] }).sort();
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  const drawing = files.filter(
    (file) => /\bseedsOf\(/.test(texts.get(file) ?? '') && !/testing\/\w+-?\w*\.ts$/.test(file),
  );
  const tests = drawing.flatMap((file) => {
    if (isTest(file)) return [file];
    const isUser = (other: string) =>
      dirname(other) === dirname(file) && isTest(other) && texts.get(other)?.includes(`./${basename(file)}'`);
    return files.filter(isUser);
  });
  return { tests: [...new Set(tests)], drawing };
}
