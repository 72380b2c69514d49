import { numberOf, setting } from '../slots/attributes.ts';
import { after, type Timer } from '../timer.ts';
import { POPUP_STORAGE } from './popup-storage.ts';

/** Milliseconds since the reader's last action: a reader who follows a link is gone by then. */
const SETTLED = 1000;
/** Share of the page a reader must have scrolled through. */
const DEPTH = 0.25;
/** Hours between two popups on a site, by default (`every`). */
const EVERY = 24;

/**
 * True when this site showed a popup in the last `every` hours, or cannot remember it: without a writable `localStorage`
 * no popup is shown. This record is never sent.
 */
export function isCapped(host: Element): boolean {
  const hours = numberOf(setting(host, 'every'), EVERY);
  try {
    const shown = localStorage.getItem(POPUP_STORAGE);
    localStorage.setItem(POPUP_STORAGE, shown ?? '0');
    if (shown === null) localStorage.removeItem(POPUP_STORAGE);
    return Date.now() - Number(shown) < hours * 3_600_000;
  } catch {
    return true;
  }
}

/** Counts a popup that is shown now. The storage was writable when its ad was requested. */
export function countPopup(): void {
  localStorage.setItem(POPUP_STORAGE, String(Date.now()));
}

/**
 * Calls `ready` once the reader has interacted with the page, or scrolled through a quarter of it, and has then stayed.
 * Never for a click that leaves the page, and not while `notNow` returns true.
 */
export function whenSettled(ready: () => void, notNow: () => boolean, signal: AbortSignal): void {
  const once = new AbortController();
  let acted = false;
  let timer: Timer | undefined;
  const end = (): void => {
    clearTimeout(timer);
    once.abort();
  };
  /** Restarts the wait after an action of the reader. */
  const settle = (has: boolean): void => {
    acted = has;
    clearTimeout(timer);
    if (acted) timer = after(SETTLED, decide);
  };
  const decide = (): void => {
    if (document.hidden || notNow()) settle(true);
    else {
      end();
      ready();
    }
  };
  const listen = <Type extends keyof WindowEventMap>(type: Type, on: (event: WindowEventMap[Type]) => void): void =>
    addEventListener(type, on, { signal: once.signal, passive: true });
  signal.addEventListener('abort', end);
  listen('pointerdown', () => settle(true));
  listen('keydown', () => settle(true));
  listen('scroll', () => settle(acted || scrollY >= (document.documentElement.scrollHeight - innerHeight) * DEPTH));
  // After the page's own listeners: a link whose default they prevent does not leave the page.
  listen('click', (event) => !event.defaultPrevented && leads(event) && settle(false));
  listen('submit', (event) => event.defaultPrevented || settle(false));
  // Browsers with the Navigation API also report navigations by script.
  const onNavigate = ({ destination, downloadRequest }: NavigateEvent): void => {
    if (!destination.sameDocument && downloadRequest === null) settle(false);
  };
  window.navigation?.addEventListener('navigate', onNavigate, { signal: once.signal });
}

/** Whether a click follows a link to another page in this tab. */
function leads(event: Event): boolean {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  const [here] = location.href.split('#');
  return !!link?.href && link.target !== '_blank' && !link.href.startsWith(`${here}#`);
}

/** Whether the focused element accepts text. A frame counts as well, because the focus inside it cannot be read. */
export function isTyping(): boolean {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return (
    !!focused?.matches('input,textarea,select,iframe') || (focused as HTMLElement | null)?.isContentEditable === true
  );
}
