import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

type Target = string | Readonly<Record<string, string>>;

/** Every door of a package with a source, by the name it is imported with: as `paths` of a compiler take them. */
export function doorsOf(name: string): [string, [string]][] {
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
