import type { Emit } from '../events.ts';
import { numberOf, setting } from '../slots/attributes.ts';
import type { Slot } from '../slots/slot.ts';
import { after, type Timer } from '../timer.ts';
import { languageOf, part } from './draw.ts';
import { isTyping, whenSettled } from './popup-moment.ts';
import { sheet } from './style.ts';

const STORAGE = 'broadsheet:popup';
/** Hours between two popups on a site, by default (`every`). */
const EVERY = 24;
/** Milliseconds between attempts to open a dialog that must wait. */
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
/** The style of a popup, after that of every ad. */
export const STYLE = `
.ad{position:fixed;z-index:2147483000;inset-block:auto 1rem;inset-inline:auto 1rem;margin:0;padding:0;height:auto;container-type:inline-size;
width:min(22rem,100vw - 2rem);max-height:30vh;box-shadow:0 4px 24px #0004}
.link{min-height:6rem}.text{padding-bottom:.5rem}.words{-webkit-line-clamp:4}.label{line-height:2.25rem}
.bare{background:var(--broadsheet-paper,Canvas)}.ad:not(.bare) .image{contain:size}.bare.ad .image{max-height:calc(30vh - 3rem)}
dialog{max-width:100vw;border:0;padding:0;background:none;color:inherit}
dialog .ad{position:relative;inset:auto}
.close{all:unset;position:absolute;top:4px;inset-inline-end:4px;width:1.75rem;height:1.75rem;
text-align:center;line-height:1.75rem;cursor:pointer;background:var(--broadsheet-paper,Canvas);border-radius:4px}
.close:focus-visible{outline:3px solid var(--broadsheet-accent,LinkText);outline-offset:-3px}
@media(prefers-reduced-motion:no-preference){.ad{animation:rise .2s}@keyframes rise{from{opacity:0;translate:0 1rem}}}
`;

/** The functions of its client that a popup uses. */
interface PopupPorts {
  /** Whether something may be stored: without a stored cap no popup is shown. */
  readonly consent: { readonly storage: boolean };
  readonly emit: Emit;
  /** Requests an ad for the popup if it is near. */
  schedule(): void;
  /** Called when the card opens or closes. */
  startClock(slot: Slot): void;
}

/** The popup of this page: no second one is requested while it waits or is open. */
let underWay: Slot | undefined;

/** True when this site showed a popup in the last `every` hours. Stored in `localStorage`, so that nothing is sent. */
export function isCapped(host: Element): boolean {
  const hours = numberOf(setting(host, 'every'), EVERY);
  try {
    return Date.now() - Number(localStorage.getItem(STORAGE) ?? 0) < hours * 3_600_000;
  } catch {
    return true;
  }
}

/** Whether the storage is writable. */
function canCap(): boolean {
  try {
    const shown = localStorage.getItem(STORAGE);
    localStorage.setItem(STORAGE, shown ?? '0');
    if (shown === null) localStorage.removeItem(STORAGE);
    return true;
  } catch {
    return false;
  }
}

/**
 * A card in the corner of the window, or in a modal `<dialog>`, that is requested once the reader has settled. The reader
 * closes it with the button or with Escape.
 */
export class Popup {
  readonly #slot: Slot;
  readonly #ports: PopupPorts;
  readonly #isDialog: boolean;

  constructor(slot: Slot, ports: PopupPorts) {
    this.#slot = slot;
    this.#ports = ports;
    this.#isDialog = setting(slot.host, 'dialog') !== null;
    const gone = new AbortController();
    slot.leave = () => {
      gone.abort();
      if (underWay === slot) underWay = undefined;
    };
    slot.open = (card, root) => this.#open(card, root);
    if (slot.gone) return;
    whenSettled(
      () => this.#request(),
      () => !ports.consent.storage || this.#mustWait(),
      gone.signal,
    );
  }

  /** Sets whether an ad may be requested for it, and whether its card is open. */
  #place(near: boolean, open: boolean): void {
    const slot = this.#slot;
    slot.near = near;
    slot.inView = slot.half = open;
    this.#ports.startClock(slot);
  }

  /** A dialog would take the focus from a reader who types. */
  #mustWait(): boolean {
    return this.#isDialog && isTyping();
  }

  #request(): void {
    if (underWay || isCapped(this.#slot.host) || !canCap()) return;
    underWay = this.#slot;
    this.#place(true, false);
    this.#ports.schedule();
  }

  /** Opens the card as soon as possible. @returns a function that removes it */
  #open(card: HTMLElement, root: ShadowRoot): () => void {
    const shown = new AbortController();
    let before: Element | null = null;
    let timer: Timer | undefined;
    const remove = (): void => {
      // Focus goes back only if it was in the card: a reader elsewhere on the page is not moved.
      const held = root.activeElement;
      clearTimeout(timer);
      shown.abort();
      root.replaceChildren();
      if (held && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
    const close = (): void => {
      remove();
      this.#place(false, false);
      this.#ports.emit(this.#slot, 'close');
    };
    const show = (): void => {
      if (this.#mustWait()) {
        timer = after(LATER, show);
        return;
      }
      before = document.activeElement;
      root.adoptedStyleSheets.push(sheet(STYLE));
      if (this.#isDialog) this.#showDialog(card, root, close);
      else this.#showCard(card, root, close, shown.signal);
      // The cap counts popups that were shown. The storage was writable when the ad was requested.
      localStorage.setItem(STORAGE, String(Date.now()));
    };
    this.#addButton(card, close);
    show();
    return remove;
  }

  #addButton(card: HTMLElement, close: () => void): void {
    const button = part('button', 'close', '×');
    button.setAttribute('type', 'button');
    button.setAttribute('aria-label', CLOSE[languageOf(this.#slot.host)] ?? '×');
    // The reader did not open the dialog: Enter closes it and does not follow the ad.
    button.autofocus = this.#isDialog;
    button.addEventListener('click', close);
    card.append(button);
  }

  /** Opens the card in the top layer, where no transform or overflow of an ancestor moves or hides it. */
  #showCard(card: HTMLElement, root: ShadowRoot, close: () => void, signal: AbortSignal): void {
    card.setAttribute('popover', 'manual');
    root.replaceChildren(card);
    card.showPopover?.();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) close();
    };
    document.addEventListener('keydown', onKey, { signal });
    // Browsers without popovers (before Chromium 114, Firefox 125, Safari 17) may show it outside the window.
    const { top, bottom } = card.getBoundingClientRect();
    this.#place(true, top < innerHeight && bottom > 0);
  }

  #showDialog(card: HTMLElement, root: ShadowRoot, close: () => void): void {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', card.getAttribute('aria-label') ?? '');
    dialog.append(card);
    dialog.addEventListener('close', close);
    root.replaceChildren(dialog);
    dialog.showModal();
    this.#place(true, true);
  }
}
