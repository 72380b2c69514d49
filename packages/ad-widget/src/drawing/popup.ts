import type { Context } from '../context.ts';
import { ancestors } from '../slots/ancestors.ts';
import { setting } from '../slots/attributes.ts';
import { type Slot, shared } from '../slots/slot.ts';
import { canBeSeen } from '../slots/visibility.ts';
import { after, type Timer } from '../timer.ts';
import { languageOf, part } from './draw.ts';
import { countPopup, isCapped, isTyping, whenSettled } from './popup-moment.ts';
import { sheet } from './style.ts';

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
/** The style of a popup, after that of every ad. Its background is the page's own, because the text has the page's color. */
export const STYLE = `
.ad{position:fixed;z-index:2147483000;inset:auto 16px 16px;width:auto;max-width:22em;max-height:30vh;margin:0;margin-inline-start:auto;
color-scheme:inherit;background:var(--broadsheet-paper,var(--page,Canvas));box-shadow:0 8px 32px #0004}
.ad:not(.bare) .link{padding-inline-end:44px}
dialog{width:min(22em,100vw - 32px);border:0;padding:0;background:none;color:inherit}
dialog .ad{position:relative;inset:auto}
.close{all:unset;position:absolute;top:0;inset-inline-end:0;width:44px;line-height:44px;text-align:center;cursor:pointer;font-size:20px}
.bare .close{background:inherit}
.close:focus-visible{outline:3px solid;outline-offset:-3px}
@media(width<30em){.ad{max-width:none}}
@media(height<30em){.words{-webkit-line-clamp:1}}
@media(prefers-reduced-motion:no-preference){.ad{animation:rise .2s}@keyframes rise{from{opacity:0;translate:0 1rem}}}
`;

/**
 * A card in the corner of the window, or in a modal `<dialog>`, that is requested once the reader has settled. The reader
 * closes it with the button or with Escape.
 */
export class Popup {
  readonly #slot: Slot;
  readonly #context: Context;
  readonly #placed: () => void;
  readonly #isDialog: boolean;

  /** @param placed Called when its card was opened or closed. */
  constructor(slot: Slot, context: Context, placed: () => void) {
    this.#slot = slot;
    this.#context = context;
    this.#placed = placed;
    this.#isDialog = setting(slot.host, 'dialog') !== null;
    const gone = new AbortController();
    slot.leave = () => {
      gone.abort();
      if (shared().popup === slot) shared().popup = undefined;
    };
    slot.open = (card, root) => this.#open(card, root);
    if (slot.gone) return;
    // A slot that is not displayed leaves the popup of the page to another one.
    const mustWait = (): boolean => !context.consent.storage || !canBeSeen(slot) || this.#isInWay();
    whenSettled(() => this.#request(), mustWait, gone.signal);
  }

  /** Sets whether an ad may be requested for it, and whether its card is open. */
  #place(near: boolean, open: boolean): void {
    Object.assign(this.#slot, { near, inView: open, half: open ? performance.now() : 0 });
    this.#placed();
  }

  /** A dialog would take the focus from a reader who types. */
  #isInWay(): boolean {
    return this.#isDialog && isTyping();
  }

  #request(): void {
    if (shared().popup || isCapped(this.#slot.host)) return;
    shared().popup = this.#slot;
    this.#place(true, false);
    this.#context.schedule();
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
      this.#context.emit(this.#slot, 'close');
    };
    const show = (): void => {
      timer = this.#isInWay() ? after(LATER, show) : undefined;
      if (timer) return;
      before = document.activeElement;
      root.adoptedStyleSheets.push(sheet(STYLE));
      if (this.#isDialog) showDialog(card, root, close);
      else showCard(card, root, close, shown.signal);
      // The cap counts popups that were shown.
      countPopup();
      this.#place(true, true);
    };
    card.style.setProperty('--page', colorBehind(this.#slot.host));
    const button = part('button', 'close', '×');
    button.setAttribute('type', 'button');
    button.ariaLabel = CLOSE[languageOf(this.#slot.host)] ?? '×';
    // The reader did not open the dialog: Enter closes it and does not follow the ad.
    button.autofocus = this.#isDialog;
    button.addEventListener('click', close);
    card.append(button);
    show();
    return remove;
  }
}

/** Opens the card in the top layer, where no transform or overflow of an ancestor moves or hides it. */
function showCard(card: HTMLElement, root: ShadowRoot, close: () => void, signal: AbortSignal): void {
  card.setAttribute('popover', 'manual');
  root.replaceChildren(card);
  card.showPopover?.();
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
  document.addEventListener('keydown', onKey, { signal });
}

function showDialog(card: HTMLElement, root: ShadowRoot, close: () => void): void {
  const dialog = document.createElement('dialog');
  dialog.ariaLabel = card.ariaLabel;
  dialog.append(card);
  dialog.addEventListener('close', close);
  root.replaceChildren(dialog);
  dialog.showModal();
}

/** The page's color behind an element; empty if it is the browser's own. */
function colorBehind(host: Element): string {
  const colors = [...ancestors(host)].map((element) => getComputedStyle(element).backgroundColor);
  // One with an alpha component lets the page shine through.
  return colors.find((color) => !/rgba|\//.test(color)) ?? '';
}
