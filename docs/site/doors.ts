import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

type Target = string | Readonly<Record<string, string>>;

/** The entry points of a package that have a source, by their import name, for `paths` of the compiler. */
function doorsOf(name: string): [string, [string]][] {
  const folder = join(root, 'packages', name);
  const manifest: { exports: Record<string, Record<string, Target>> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return Object.entries(manifest.exports).flatMap(([door, targets]): [string, [string]][] => {
    const target = targets['@broadsheet/source'];
    const source = typeof target === 'object' ? target['default'] : target;
    return source ? [[`@broadsheet/${name}${door.slice(1)}`, [join(folder, source)]]] : [];
  });
}

/**
 * The modules that samples in the documents import, for `paths` of the compiler: our entry points, and third-party
 * libraries.
 */
export function samplePaths(): Record<string, [string]> {
  const examples = join(root, 'examples/node_modules');
  return {
    ...Object.fromEntries(['sdk', 'ad-widget', 'mock-server', 'server'].flatMap(doorsOf)),
    ...Object.fromEntries(
      ['ky', '@tanstack/react-query', '@opentelemetry/api'].map((name) => [name, [join(examples, name)]]),
    ),
    react: [join(examples, '@types/react/index.d.ts')],
    'react/jsx-runtime': [join(examples, '@types/react/jsx-runtime.d.ts')],
    // The same module under the name that users import.
    '@playwright/test': [join(root, 'node_modules/playwright/test.d.ts')],
  };
}
