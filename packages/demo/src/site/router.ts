import { blogName } from './blog.ts';
import { failureView, notFoundView } from './failure-view.ts';
import { findScreen } from './routes.ts';
import type { View } from './view.ts';

/** How many pages are stored as they were left, for the way back. */
const STORED = 8;
/** Milliseconds a page may take before the reader sees that it is coming. */
const PATIENCE = 120;

interface StoredPage {
  readonly view: View;
  scroll: number;
}

/** Moves the reader between pages without leaving the document. */
export interface Router {
  /** Shows an address; `replace` writes over the current entry of the history, as search does while one types. */
  go(address: string, options?: { replace?: boolean }): Promise<void>;
}

/**
 * Runs the site in `outlet` by the history API. One page is loaded at a time: going elsewhere aborts what is under
 * way, so a slow answer never covers a later page. Going back shows the page as it was left.
 */
export function startRouter(outlet: HTMLElement): Router {
  const stored = new Map<string, StoredPage>();
  let loading = new AbortController();
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => void arrive('back'));
  document.addEventListener('click', (event) => {
    const address = addressOfClick(event);
    if (!address) return;
    event.preventDefault();
    void router.go(address);
  });

  const router: Router = {
    async go(address, { replace = false } = {}) {
      leave();
      const state = { key: crypto.randomUUID?.() ?? String(Math.random()) };
      history[replace ? 'replaceState' : 'pushState'](state, '', address);
      await arrive(replace ? 'typing' : 'forward');
    },
  };
  void arrive('first');
  return router;

  function leave(): void {
    const page = stored.get(currentKey());
    if (page) page.scroll = scrollY;
  }

  async function arrive(way: 'first' | 'forward' | 'back' | 'typing'): Promise<void> {
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    const known = way === 'back' ? stored.get(currentKey()) : undefined;
    const slow = setTimeout(() => outlet.setAttribute('aria-busy', 'true'), PATIENCE);
    const view = known?.view ?? (await load(signal));
    clearTimeout(slow);
    if (signal.aborted) return;
    // The page that is shown now lives on: its lists go on loading under this signal, whatever is visited next.
    loading = new AbortController();
    outlet.removeAttribute('aria-busy');
    show(view, way);
    keep(view, known?.scroll ?? 0);
    if (way !== 'typing') scrollTo({ top: known?.scroll ?? 0, behavior: 'instant' });
  }

  async function load(signal: AbortSignal): Promise<View> {
    const found = findScreen(location.pathname);
    if (!found) return notFoundView();
    try {
      return await found.screen({ name: found.name, query: new URLSearchParams(location.search), signal });
    } catch (error) {
      return failureView(error, () => void arrive('forward'));
    }
  }

  function show({ title, node }: View, way: string): void {
    document.title = title === blogName ? title : `${title} — ${blogName}`;
    outlet.replaceChildren(node);
    outlet.dispatchEvent(new CustomEvent('site:arrived', { bubbles: true }));
    // A screen reader goes on reading at the new page's heading; someone who types keeps the field.
    if (way === 'forward' || way === 'back') node.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }

  function keep(view: View, scroll: number): void {
    stored.delete(currentKey());
    stored.set(currentKey(), { view, scroll });
    for (const key of [...stored.keys()].slice(0, -STORED)) stored.delete(key);
  }
}

const currentKey = (): string => (history.state as { key?: string } | null)?.key ?? 'first';

/** Where a click leads when it is ours to follow: a plain click on a link into the site. */
function addressOfClick(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = (event.target as Element).closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return undefined;
  if (link.hash && link.pathname === location.pathname) return undefined;
  return findScreen(link.pathname) ? link.pathname + link.search + link.hash : undefined;
}
