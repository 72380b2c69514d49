const LABELS: Record<string, string> = {
  de: 'Anzeige',
  fr: 'Publicité',
  es: 'Publicidad',
  pt: 'Publicidade',
  it: 'Pubblicità',
};

/** The two letters of the language a place in the page is written in; empty when nothing says. */
export function languageOf(host: Element): string {
  return (host.closest<HTMLElement>('[lang]')?.lang ?? '').slice(0, 2).toLowerCase();
}

/** The word that says what it is, in the language of the place it stands in. */
export function labelFor(host: Element): string {
  return LABELS[languageOf(host)] ?? 'Advertisement';
}
