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
/** The style of a popup, applied after the style of every ad. The page's text color needs the page's own background. */
const STYLE = `
.ad{position:fixed;z-index:2147483000;inset:auto 16px 16px;width:auto;max-width:22em;max-height:30vh;margin:0;margin-inline-start:auto;
color-scheme:inherit;background:var(--broadsheet-paper,var(--page,Canvas));box-shadow:0 8px 32px #0004}
.ad:not(.bare) .link{padding-inline-end:44px}
dialog{width:min(22em,100vw - 32px);border:0;padding:0;background:none;color:inherit}
dialog .ad{position:relative;inset:auto}
.close{all:unset;position:absolute;top:0;inset-inline-end:0;width:44px;line-height:44px;text-align:center;cursor:pointer;font-size:20px}
.bare .close{background:inherit}
.bare .text{order:0}
.close:focus-visible{outline:3px solid;outline-offset:-3px}
@media(width<30em){.ad{max-width:none}}
@media(height<30em){.words{-webkit-line-clamp:1}}
@media(prefers-reduced-motion:no-preference){.ad{animation:rise .2s}@keyframes rise{from{opacity:0;translate:0 1rem}}}
`;

/**
 * Prepares a slot whose card opens in the corner of the window, or in a modal `<dialog>`. Its ad is requested once the
 * reader has settled. The reader closes it with the button or with Escape.
 *
 * @param placed Called after its card has been opened or closed.
 */
export function preparePopup(slot: Slot, context: Context, placed: () => void): void {
  const { host } = slot;
  const isDialog = setting(host, 'dialog') !== null;
  /** A dialog would take the focus from a reader who is typing. */
  const isInWay = (): boolean => isDialog && isTyping();
  /** Sets whether an ad may be requested for the slot, and whether its card is open. */
  const place = (near: boolean, open: boolean): void => {
    Object.assign(slot, { near, inView: open, half: open ? performance.now() : 0 });
    placed();
  };
  const gone = new AbortController();
  slot.leave = () => {
    gone.abort();
    if (shared().popup === slot) shared().popup = undefined;
  };
  // Opens the card as soon as possible.
  slot.open = (card, root) => {
    const shown = new AbortController();
    let before: Element | null = null;
    let timer: Timer | undefined;
    const remove = (): void => {
      // The focus is restored only if it was in the card, so that a reader elsewhere on the page is not moved.
      const held = root.activeElement;
      clearTimeout(timer);
      shown.abort();
      root.replaceChildren();
      if (held && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
    const close = (): void => {
      remove();
      place(false, false);
      context.emit(slot, 'close');
    };
    const show = (): void => {
      timer = isInWay() ? after(LATER, show) : undefined;
      if (timer) return;
      before = document.activeElement;
      root.adoptedStyleSheets.push(sheet(STYLE));
      if (isDialog) showDialog(card, root, close);
      else showCard(card, root, close, shown.signal);
      // The cap counts popups that were shown.
      countPopup();
      place(true, true);
    };
    card.style.setProperty('--page', colorBehind(host));
    card.append(closeButton(host, isDialog, close));
    show();
    return remove;
  };
  if (slot.gone) return;
  const request = (): void => {
    if (shared().popup || isCapped(host)) return;
    shared().popup = slot;
    place(true, false);
    context.schedule();
  };
  // A slot that is not displayed lets another slot have the page's popup.
  whenSettled(request, () => !context.consent.storage || !canBeSeen(slot) || isInWay(), gone.signal);
}

function closeButton(host: Element, isInDialog: boolean, close: () => void): HTMLElement {
  const button = part('button', 'close', '×');
  button.ariaLabel = CLOSE[languageOf(host)] ?? '×';
  // The reader did not open the dialog: Enter closes it and does not follow the ad.
  button.autofocus = isInDialog;
  button.addEventListener('click', close);
  return button;
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
  // A color with an alpha component would let the page show through.
  return colors.find((color) => !/rgba|\//.test(color)) ?? '';
}
