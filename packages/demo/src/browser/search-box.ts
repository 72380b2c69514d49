import { element, loadPage } from './load-page.ts';

/** Milliseconds after the last letter before the search begins. */
const REST = 120;

/** Searches while the reader types. The URL is updated, so that a search can be shared and revisited. */
export function startSearchBox(): void {
  const form = element('#search');
  const field = element('#search input') as HTMLInputElement;
  const address = (): string => location.pathname + location.search;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = address();
  let latest = shown;
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(show, REST);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show();
  });
  // A page that a search replaced must be loaded again. Links within the page also fire this event.
  addEventListener('popstate', () => {
    if (address() !== shown) location.reload();
  });

  async function show(): Promise<void> {
    clearTimeout(timer);
    const q = field.value.trim();
    const searching = location.pathname === '/search';
    if (!q && !searching) return;
    const wanted = q ? `/search?${new URLSearchParams({ q })}` : '/search';
    latest = wanted;
    const page = await loadPage(wanted).catch(() => undefined);
    // The reader has typed something else since.
    if (latest !== wanted) return;
    if (!page) return location.assign(wanted);
    for (const part of ['#sections', '#page']) element(part).replaceWith(page.querySelector(part) ?? '');
    document.title = page.title;
    shown = wanted;
    history[searching ? 'replaceState' : 'pushState'](null, '', wanted);
  }
}
