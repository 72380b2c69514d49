import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

/** The anchor of a heading, as code hosts create it. */
export function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** The anchor of each numbered section of the API document, by its number. */
export function sectionAnchors(): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, 'docs/api.md'), 'utf8');
  const headings = [...text.matchAll(/^##+ ((\d(?:\.\d)?)\.? .+)$/gm)];
  return new Map(headings.map(([, heading = '', number = '']) => [number, slugify(heading)]));
}
