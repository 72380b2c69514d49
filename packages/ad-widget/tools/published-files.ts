import { readFile } from 'node:fs/promises';
import { WIDGET_FILES, type WidgetFileName } from './file-names.ts';

export { WIDGET_FILES, type WidgetFileName };

/**
 * The files that a page loads, by name, for a server that sends them itself. The package contains them, each with a
 * `.br` and a `.gz` beside it.
 *
 * ```ts
 * for (const [name, text] of await widgetFiles()) await writeFile(`public/${name}`, text);
 * ```
 */
export async function widgetFiles(): Promise<ReadonlyMap<WidgetFileName, string>> {
  const read = (name: WidgetFileName) => readFile(new URL(name, import.meta.url), 'utf8');
  return new Map(await Promise.all(WIDGET_FILES.map(async (name) => [name, await read(name)] as const)));
}
