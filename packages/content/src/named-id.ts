import { createHash } from 'node:crypto';
import { fold } from '@broadsheet/core';

/** A readable part of an id: the text folded, with a dash for each run of characters other than letters and digits. */
export function slugify(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** Spellings with the same key are one name: case, accents and the amount of white space are ignored. */
export function nameKey(name: string): string {
  return fold(name).trim().replace(/\s+/gu, '-');
}

/** An id made from a name: `Release notes` is `release-notes`; `C++` gets a hash, to differ from `C`. */
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
