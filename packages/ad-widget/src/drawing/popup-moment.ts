import { after, type Timer } from '../timer.ts';

/** Milliseconds after the reader last did something: a reader who follows a link is gone by then. */
const SETTLED = 1000;
/** Share of the page a reader must have scrolled through. */
const DEPTH = 0.25;

/**
 * Calls `ready` once the reader has done something, or scrolled through a quarter of the page, and has stayed: never
 * before, never for a click that leaves the page, and not as long as `notNow` says so.
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
  // After the page's own listeners: a link that the page handles does not leave it.
  window.addEventListener('click', (event) => !event.defaultPrevented && leads(event) && leave(), passive);
  window.addEventListener('submit', (event) => event.defaultPrevented || leave(), passive);
  // Scripts that go to another page say so where the browser has the Navigation API.
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

/** Whether what has the focus takes words. Nobody can look into a frame, so one counts. */
export function isTyping(): boolean {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  if (!(focused instanceof HTMLElement)) return false;
  return focused.isContentEditable || focused.matches('input,textarea,select,iframe');
}
