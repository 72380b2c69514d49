import { el } from './element.ts';

/** A text with the terms of a search marked wherever they occur, also inside words, as the search finds them. */
export function marked(text: string, q: string): (string | HTMLElement)[] {
  const terms = q
    .split(/\s+/)
    .filter(Boolean)
    .map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (terms.length === 0) return [text];
  const parts = text.split(new RegExp(`(${terms.join('|')})`, 'giu'));
  // Splitting by a group puts every second part into the hands of the group.
  return parts.map((part, index) => (index % 2 ? el('mark', {}, part) : part)).filter((part) => part !== '');
}
