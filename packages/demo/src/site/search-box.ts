import { addressOf } from './addresses.ts';
import { shell } from './element.ts';
import type { Router } from './router.ts';

/** Milliseconds of rest after a letter before the search begins. */
const REST = 120;

/** Searches while the reader types. The address follows, so that a search can be shared and gone back to. */
export function startSearchBox(router: Router): void {
  const form = shell('#search') as HTMLFormElement;
  const field = shell('#search input') as HTMLInputElement;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const searching = (): boolean => location.pathname === '/search';
  const run = (): void => {
    clearTimeout(timer);
    const q = field.value.trim();
    if (q || searching()) void router.go(q ? addressOf.search(q) : '/search', { replace: searching() });
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(run, REST);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run();
  });
  // The field says what is shown, whichever way the reader came.
  document.addEventListener('site:arrived', () => {
    const q = searching() ? (new URLSearchParams(location.search).get('q') ?? '') : '';
    if (document.activeElement !== field) field.value = q;
    else if (!searching()) field.value = '';
  });
}
