import { createHash } from 'node:crypto';
import { fold } from '@broadsheet/core';

/** Text as a readable part of an id: folded, with a dash for each run of anything but letters and digits. */
export function slugify(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** What makes two spellings one name: case, accents and runs of white space do not count. */
export function nameKey(name: string): string {
  return fold(name).trim().replace(/\s+/gu, '-');
}

/** The id of a thing that is known by its name alone: `Release notes` is `release-notes`; `C++` keeps a hash, as `C` is another. */
export function idOfName(name: string): string {
  const readable = slugify(name);
  const key = nameKey(name);
  return readable === key ? readable : `${readable || 'name'}-${shortHash(key)}`;
}

/** The id of a file in a folder: readable, and the same for the same path at every import. */
export function idOfPath(path: string): string {
  const normal = path.normalize('NFC');
  const readable = slugify(normal.replace(/\.[^./]+$/, ''))
    .slice(-60)
    .replace(/^-+/, '');
  return `${readable || 'post'}-${shortHash(normal)}`;
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
