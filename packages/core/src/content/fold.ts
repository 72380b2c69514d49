/**
 * The form in which text is compared: compatibility-decomposed, marks stripped, lower-cased. A final sigma equals any
 * other sigma. Stores write this form to a separate column, so that every store searches and sorts in the same way.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ');
}

/** The folded terms of a normalized search term. */
export function searchTerms(q: string): string[] {
  return [...new Set(fold(q).split(/\s+/u))].filter((term) => term !== '');
}

/** Orders text by UTF-16 code unit: negative, zero or positive. */
export function codeUnitOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
