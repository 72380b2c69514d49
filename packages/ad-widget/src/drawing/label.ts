/** The word that marks an ad, by language. */
const LABELS: Record<string, string> = {
  en: 'Advertisement',
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

/** What an ad says of itself, in the language of the page where there is a word for it: that it is one, and where its link opens. */
export function wordsFor(host: Element): readonly [label: string, newTab: string] {
  const language = languageOf(host) || 'en';
  return [LABELS[language] ?? 'Ad', language === 'en' ? 'Opens in a new tab' : '↗'];
}
