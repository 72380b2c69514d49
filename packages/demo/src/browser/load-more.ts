import { loadPage } from './load-page.ts';

/** Appends the next page of a list to it when the reader presses "Load more", instead of opening that page. */
export function startLoadMore(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const box = form.closest('.load-more');
    if (!box) return;
    event.preventDefault();
    void extend(box, form);
  });
}

async function extend(box: Element, form: HTMLFormElement): Promise<void> {
  const [list, news, button] = [box.querySelector('.list'), box.querySelector('.news'), form.querySelector('button')];
  if (!list || !news || !button || button.ariaDisabled === 'true') return;
  button.ariaDisabled = 'true';
  news.textContent = '';
  try {
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    const page = await loadPage(`${location.pathname}?${new URLSearchParams(fields)}`);
    const added = [...page.querySelectorAll('.list > *')];
    list.append(...added);
    const next = page.querySelector('.load-more form');
    if (next) form.replaceChildren(...next.children);
    else form.remove();
    if (!next) news.textContent = '— 30 —';
    // Keyboard focus moves to the first new story, not to the top of the page.
    added[0]?.querySelector<HTMLElement>('.headline a')?.focus({ preventScroll: true });
  } catch (error) {
    news.textContent = `${error instanceof Error ? error.message : error} Please try again.`;
  }
  button.ariaDisabled = null;
}
