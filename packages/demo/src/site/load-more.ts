import type { Page } from '@broadsheet/sdk';
import { el } from './element.ts';
import { reasonOf } from './failure-view.ts';

/**
 * A list that begins with one page and asks for the next when the reader wants it. The button goes when the list has
 * ended; when a page fails to come it says why and stays.
 */
export function loadMore<Item>(first: Page<Item>, draw: (item: Item) => HTMLElement): HTMLElement {
  let page = first;
  const list = el('div', { class: 'list' }, ...first.items.map(draw));
  const button = el('button', { type: 'button', class: 'button more' }, 'Load more');
  const news = el('p', { class: 'news', role: 'status' });
  const box = el('div', { class: 'load-more' }, list, news, button);
  button.hidden = !page.hasNext;
  button.addEventListener('click', () => void extend());
  return box;

  async function extend(): Promise<void> {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    news.textContent = '';
    try {
      const next = await page.next();
      if (next) append(next);
      button.hidden = !next?.hasNext;
    } catch (error) {
      news.textContent = `${reasonOf(error)} Please try again.`;
    }
    button.ariaDisabled = null;
  }

  function append(next: Page<Item>): void {
    page = next;
    const added = next.items.map(draw);
    list.append(...added);
    if (!next.hasNext) news.textContent = '— 30 —';
    // The keyboard goes on at the first of the new ones, not at the top.
    added[0]?.querySelector<HTMLElement>('.headline a')?.focus({ preventScroll: true });
  }
}
