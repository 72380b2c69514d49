/** What an ad says of itself: that it is one, and where its link opens. */
const WORDS: Record<string, readonly [label: string, newTab: string]> = {
  en: ['Advertisement', 'Opens in a new tab'],
  de: ['Anzeige', 'Öffnet in einem neuen Tab'],
  fr: ['Publicité', 'S’ouvre dans un nouvel onglet'],
  es: ['Publicidad', 'Se abre en otra pestaña'],
  pt: ['Publicidade', 'Abre em nova aba'],
  it: ['Pubblicità', 'Si apre in una nuova scheda'],
};

/** The two letters of the language a place in the page is written in; empty when nothing says. */
export function languageOf(host: Element): string {
  return (host.closest<HTMLElement>('[lang]')?.lang ?? '').slice(0, 2).toLowerCase();
}

/** These words in the language of the place they stand in; in one that has none here, signs that need no language. */
export function wordsFor(host: Element): readonly [label: string, newTab: string] {
  return WORDS[languageOf(host) || 'en'] ?? ['Ad', '↗'];
}
