import { setting } from '../slots/attributes.ts';
import type { Slot } from '../slots/slot.ts';
import { part } from './draw.ts';
import { languageOf } from './label.ts';
import { sheet } from './style.ts';

const STORAGE = 'broadsheet:popup';
/** Hours between two popups on a site, unless the slot's `every` says otherwise. */
const EVERY = 24;
/** Share of the page a reader must have scrolled through. */
const DEPTH = 0.25;

const CLOSE: Record<string, string> = {
  de: 'Schließen',
  fr: 'Fermer',
  es: 'Cerrar',
  pt: 'Fechar',
  it: 'Chiudi',
  ar: 'إغلاق',
};
const STYLE = `
.ad{position:fixed;z-index:2147483000;bottom:1rem;inset-inline-end:1rem;height:auto;
width:min(22rem,100vw - 2rem);max-height:30vh;box-shadow:0 4px 24px #0004}
.link{height:auto;min-height:6rem;max-height:30vh}.text{padding-bottom:.5rem}
.ad:not(.bare) .image{height:auto;contain:size}.bare .image.image{height:auto;max-height:30vh}
.label{inset-inline-end:2rem}
dialog{border:0;padding:0;background:none;color:inherit}
dialog .ad{position:relative;inset:auto}
.close{all:unset;position:absolute;top:0;inset-inline-end:0;width:2rem;height:2rem;
text-align:center;line-height:2rem;cursor:pointer;background:inherit}
.close:focus-visible{outline:3px solid var(--a);outline-offset:-3px}
@media(prefers-reduced-motion:no-preference){.ad{animation:rise .2s}@keyframes rise{from{opacity:0;translate:0 1rem}}}
`;

/** Lets the popup be asked for once the reader may be shown one, and opens it then. */
export function preparePopup(slot: Slot, ready: () => void, closed: (slot: Slot) => void, signal: AbortSignal): void {
  slot.open = (card, root) => openPopup(slot, card, root, () => closed(slot));
  afterInteraction(() => {
    // Looked at before asking: a popup that may not be shown is not bought.
    slot.near = !isCapped(slot);
    ready();
  }, signal);
}

/** Calls `ready` at the reader's first interaction or once a quarter of the page is scrolled: never before. */
function afterInteraction(ready: () => void, signal: AbortSignal): void {
  const once = new AbortController();
  const done = (): void => {
    if (!once.signal.aborted) ready();
    once.abort();
  };
  signal.addEventListener('abort', () => once.abort());
  const passive = { signal: once.signal, passive: true };
  window.addEventListener('pointerdown', done, passive);
  window.addEventListener('keydown', done, passive);
  window.addEventListener(
    'scroll',
    () => {
      const room = document.documentElement.scrollHeight - innerHeight;
      if (scrollY >= room * DEPTH) done();
    },
    passive,
  );
}

/** True when this site showed a popup in the last `every` hours. Kept in `localStorage`: no cookie, nothing is sent. */
export function isCapped(slot: Pick<Slot, 'host'>): boolean {
  const hours = Number(setting(slot.host, 'every') ?? EVERY);
  try {
    return Date.now() - Number(localStorage.getItem(STORAGE) ?? 0) < hours * 3_600_000;
  } catch {
    return false;
  }
}

/**
 * Puts the card into the corner of the window, or with the `dialog` setting into a modal `<dialog>`.
 *
 * @param closed Called when the reader closes it, by the button or by Escape.
 * @returns What takes it away again.
 */
function openPopup(slot: Slot, card: HTMLElement, root: ShadowRoot, closed: () => void): () => void {
  try {
    localStorage.setItem(STORAGE, String(Date.now()));
  } catch {
    // Without storage there is no cap over page changes; the card still comes once per page.
  }
  const before = document.activeElement;
  const listening = new AbortController();
  const remove = (): void => {
    // Focus goes back only if it was in the card: a reader elsewhere on the page is not moved.
    const held = root.activeElement;
    listening.abort();
    root.replaceChildren();
    if (held && before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  const close = (): void => {
    remove();
    closed();
  };
  const button = part('button', 'close', '×');
  button.setAttribute('type', 'button');
  button.setAttribute('aria-label', CLOSE[languageOf(slot.host)] ?? 'Close');
  button.addEventListener('click', close);
  card.append(button);
  root.adoptedStyleSheets.push(sheet(STYLE));
  if (setting(slot.host, 'dialog') === null) {
    root.replaceChildren(card);
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) close();
    };
    document.addEventListener('keydown', onKey, { signal: listening.signal });
  } else {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', card.getAttribute('aria-label') ?? '');
    dialog.append(card);
    dialog.addEventListener('close', close, { signal: listening.signal });
    root.replaceChildren(dialog);
    dialog.showModal();
  }
  return remove;
}
