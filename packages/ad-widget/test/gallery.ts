import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { openSite, type Site } from '../../../tools/testing/site.ts';
import { widgetFiles } from '../tools/files.ts';

const ROOT = new URL('../../../', import.meta.url);
const TYPES: Record<string, string> = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript' };

/** Serves `examples/gallery` with the widget as it is in the source. */
export async function openGallery(): Promise<Site> {
  const files = new Map<string, string>(await widgetFiles());
  return openSite(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://gallery');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const built = files.get(path.split('/dist/')[1] ?? '');
    const body = built ?? (await readFile(new URL(`.${path}`, ROOT)).catch(() => ''));
    response.setHeader('Content-Type', TYPES[extname(path)] ?? 'text/plain').end(body);
  });
}
