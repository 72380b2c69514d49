import type { Emit } from '../bus.ts';
import { setting } from '../slots/attributes.ts';
import { openCardsBy, type Slot } from '../slots/slot.ts';
import { part } from './draw.ts';
import { languageOf } from './label.ts';
import { isTyping, whenSettled } from './popup-moment.ts';
import { sheet } from './style.ts';

const STORAGE = 'broadsheet:popup';
/** Hours between two popups on a site, unless the slot's `every` says otherwise. */
const EVERY = 24;
/** Milliseconds until a dialog that must not open now is tried again. */
const LATER = 500;

const CLOSE: Record<string, string> = {
  en: 'Close',
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
.link{height:auto;min-height:6rem;max-height:30vh}.text{padding:2.25rem .75rem .5rem}.title,.content{-webkit-line-clamp:2}
.bare{background:var(--paper)}.ad:not(.bare) .image{contain:size}.bare.ad .image{max-height:30vh}
.label{top:.5rem;inset-inline-end:2.5rem}
dialog{max-width:100vw;border:0;padding:0;background:none;color:inherit}
dialog .ad{position:relative;inset:auto}
.close{all:unset;position:absolute;top:4px;inset-inline-end:4px;width:1.75rem;height:1.75rem;
text-align:center;line-height:1.75rem;cursor:pointer;background:var(--paper);border-radius:4px}
.close:focus-visible{outline:3px solid var(--accent);outline-offset:-3px}
@media(prefers-reduced-motion:no-preference){.ad{animation:rise .2s}@keyframes rise{from{opacity:0;translate:0 1rem}}}
`;

/** What of a client a popup needs. */
export interface PopupPorts {
  readonly signal: AbortSignal;
  /** What cannot be capped, as nothing may be stored, is not shown. */
  readonly consent: { readonly storage: boolean };
  readonly emit: Emit;
  /** Lets an ad be bought for it, if it is near. */
  schedule(): void;
  place(slot: Slot, near: boolean, open: boolean): void;
}

/** Lets the popup be bought once the reader may be shown one, and opens it then. */
export function preparePopup(slot: Slot, ports: PopupPorts): void {
  const { host } = slot;
  const { consent, signal } = ports;
  const isDialog = setting(host, 'dialog') !== null;
  const notNow = (): boolean => isDialog && isTyping();
  openCardsBy(slot, (card, root) => openPopup(slot, card, root, notNow, ports));
  whenSettled(
    () => {
      // Capped from here on, before it is bought: a page that goes away or gets no ad does not ask again on the next.
      if (isCapped(host) || !setCap()) return;
      ports.place(slot, true, false);
      ports.schedule();
    },
    () => !consent.storage || notNow(),
    signal,
  );
}

/** True when this site asked for a popup in the last `every` hours. In `localStorage`: no cookie, nothing is sent. */
export function isCapped(host: Element): boolean {
  const hours = Number(setting(host, 'every') ?? EVERY);
  try {
    return Date.now() - Number(localStorage.getItem(STORAGE) ?? 0) < hours * 3_600_000;
  } catch {
    return true;
  }
}

function setCap(): boolean {
  try {
    localStorage.setItem(STORAGE, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

/**
 * Puts the card into the corner of the window, or into a modal `<dialog>`. The reader closes it by the button or by
 * Escape.
 *
 * @returns What takes it away again.
 */
function openPopup(
  slot: Slot,
  card: HTMLElement,
  root: ShadowRoot,
  notNow: () => boolean,
  { place, emit }: PopupPorts,
): () => void {
  const { host } = slot;
  let before: Element | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const listening = new AbortController();
  const { signal } = listening;
  const remove = (): void => {
    // Focus goes back only if it was in the card: a reader elsewhere on the page is not moved.
    const held = root.activeElement;
    clearTimeout(timer);
    listening.abort();
    root.replaceChildren();
    if (held && before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  const close = (): void => {
    remove();
    place(slot, false, false);
    emit(slot, 'close');
  };
  const button = part('button', 'close', '×');
  button.setAttribute('type', 'button');
  button.setAttribute('aria-label', CLOSE[languageOf(host)] ?? '×');
  button.addEventListener('click', close);
  card.append(button);
  root.adoptedStyleSheets.push(sheet(STYLE));
  const openCard = (): void => {
    root.replaceChildren(card);
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) close();
    };
    document.addEventListener('keydown', onKey, { signal });
    place(slot, true, true);
  };
  const openDialog = (): void => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', card.getAttribute('aria-label') ?? '');
    // Nobody opened it: Enter closes it, and does not follow the ad.
    button.autofocus = true;
    dialog.append(card);
    dialog.addEventListener('close', close, { signal });
    root.replaceChildren(dialog);
    dialog.showModal();
    place(slot, true, true);
  };
  const open = (): void => {
    before = document.activeElement;
    if (notNow()) timer = setTimeout(open, LATER);
    else if (setting(host, 'dialog') === null) openCard();
    else openDialog();
  };
  open();
  return remove;
}
