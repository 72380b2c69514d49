import { after, type Timer } from '../timer.ts';

/** Milliseconds after the reader last did something: a reader who follows a link is gone by then. */
const SETTLED = 1000;
/** Share of the page a reader must have scrolled through. */
const DEPTH = 0.25;

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
  const settle = (): void => {
    clearTimeout(timer);
    if (acted) timer = after(SETTLED, decide);
  };
  const decide = (): void => {
    if (document.hidden || notNow()) settle();
    else {
      end();
      ready();
    }
  };
  const act = (): void => {
    acted = true;
    settle();
  };
  const leave = (): void => {
    acted = false;
    clearTimeout(timer);
  };
  const passive = { signal: once.signal, passive: true };
  signal.addEventListener('abort', end);
  window.addEventListener('pointerdown', act, passive);
  window.addEventListener('keydown', act, passive);
  window.addEventListener(
    'scroll',
    () => {
      const room = document.documentElement.scrollHeight - innerHeight;
      if (scrollY >= room * DEPTH) acted = true;
      settle();
    },
    passive,
  );
  // After the page's own listeners: a link whose default they prevent does not leave the page.
  window.addEventListener('click', (event) => !event.defaultPrevented && leads(event) && leave(), passive);
  window.addEventListener('submit', (event) => event.defaultPrevented || leave(), passive);
  // Browsers with the Navigation API also report navigations by script.
  const onNavigate = ({ destination, downloadRequest }: NavigateEvent): void => {
    if (!destination.sameDocument && downloadRequest === null) leave();
  };
  window.navigation?.addEventListener('navigate', onNavigate, passive);
}

/** Whether a click follows a link to another page in this tab. */
function leads(event: Event): boolean {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href);
  if (!(link instanceof HTMLAnchorElement)) return false;
  const [here] = location.href.split('#');
  return link.target !== '_blank' && !link.href.startsWith(`${here}#`);
}

/** Whether the focused element takes text. A frame counts, because the focus inside it cannot be read. */
export function isTyping(): boolean {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  if (!(focused instanceof HTMLElement)) return false;
  return focused.isContentEditable || focused.matches('input,textarea,select,iframe');
}
