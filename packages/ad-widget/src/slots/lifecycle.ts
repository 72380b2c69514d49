import type { LIMITS } from '@broadsheet/contract';
import type { Delivered } from '../delivery/creative.ts';
import { draw } from '../drawing/draw.ts';
import { SHEET, sheet } from '../drawing/style.ts';
import { explain, onDemand } from '../load-on-demand.ts';
import { formatOf, nameOf, setting } from './attributes.ts';
import { type Slot, type SlotElement, type SlotState, shared } from './slot.ts';

/** Maximum code points of a slot's name. A literal, so that the contract's table stays out of the script. */
const MAX_SLOT_ID: (typeof LIMITS)['slotId']['max'] = 200;
/** Elements that may have children but no shadow root. */
const HOLDERS = /^(LI|T[DH]|D[DT]|FIG\w+)$/;

/** The attributes that identify a slot. */
export function keyOf(host: Element): string {
  return [nameOf(host), formatOf(host), setting(host, 'client')].join();
}

/**
 * Makes `host` a slot. Attributes of the host are never written, because frameworks compare them when they hydrate.
 *
 * @param others The slots of the client. A slot without a name gets the first number that none of them has, so the routes
 *   of an application share their placements.
 * @returns `undefined` when another client owns it or its format is unknown.
 */
export function claim(host: SlotElement, others: Iterable<Slot>): Slot | undefined {
  const { slots } = shared();
  if (slots.has(host)) return undefined;
  const format = formatOf(host);
  if (!format) {
    explain('', host);
    return undefined;
  }
  const name = nameOf(host) || unusedName(others);
  const slot: Slot = {
    host,
    slotId: [...name].slice(0, MAX_SLOT_ID).join(''),
    format,
    key: keyOf(host),
    state: 'waiting',
    wanted: true,
  };
  slots.set(host, slot);
  return slot;
}

function unusedName(others: Iterable<Slot>): string {
  const taken = Array.from(others, ({ host, slotId }) => host.isConnected && slotId);
  let number = 1;
  while (taken.includes(`slot-${number}`)) number++;
  return `slot-${number}`;
}

/** Releases the host, without an ad, for other clients. @returns the ad it had */
export function disclaim(slot: Slot): Delivered | undefined {
  shared().slots.delete(slot.host);
  slot.gone = true;
  slot.leave?.();
  clearTimeout(slot.clock);
  const shown = vacate(slot);
  if (slot.root?.host !== slot.host) slot.root?.host.remove();
  return shown;
}

/**
 * Creates the shadow root just before an ad is requested, so that frameworks hydrate an untouched host. Until there is
 * an ad, the page's children are shown.
 *
 * @throws when the host cannot have one, or the browser has no constructed style sheets.
 */
export function prepare(slot: Slot): void {
  if (slot.root) return;
  const { host } = slot;
  sheet(SHEET);
  const parent = HOLDERS.test(host.tagName) ? host.appendChild(document.createElement('div')) : host;
  slot.root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  if (host.firstChild) empty(slot);
}

/** Shows the children of the page, unstyled. */
function empty({ root }: Slot): void {
  if (!root) return;
  root.adoptedStyleSheets = [];
  root.replaceChildren(document.createElement('slot'));
}

/** Requests a new ad. The current one stays until it arrives. */
export function want(slot: Slot): void {
  if (!slot.shown) vacate(slot);
  slot.wanted = true;
}

/** Draws an ad into a slot. */
export function fill(slot: Slot, delivered: Delivered, followed: (event: Event) => void): void {
  const { host, format, open, root } = slot;
  if (!root) return;
  // A fallback has no `h1`: the tag was probably not closed, so the ad would replace the rest of the page.
  if (host.querySelector('h1')) explain('', host);
  root.adoptedStyleSheets = [sheet(SHEET)];
  const card = draw(host, format, delivered.ad, followed);
  slot.undraw?.();
  slot.undraw = open?.(card, root);
  if (!open) root.replaceChildren(card);
  slot.shown = delivered;
  slot.wanted = false;
  enter(slot, 'filled');
}

/** Removes the ad and shows the publisher's children. @returns the ad */
export function vacate(slot: Slot, state: SlotState = 'waiting', wanted = state === 'waiting'): Delivered | undefined {
  const { shown } = slot;
  slot.undraw?.();
  slot.undraw = slot.shown = undefined;
  slot.wanted = wanted;
  empty(slot);
  enter(slot, state);
  fold(slot);
  return shown;
}

/** Handles a failed delivery. A current ad stays. */
export function fail(slot: Slot, again: boolean): void {
  if (slot.shown) enter(slot, 'filled');
  else vacate(slot, 'failed', again);
  slot.wanted = again;
}

/** Collapses a slot outside the viewport for which there is no ad. */
export function fold(slot: Slot): void {
  if (slot.inView || slot.wanted || !/empty|failed/.test(slot.state)) return;
  onDemand(({ collapse }) => collapse(slot));
}

/** Changes the state, which pages can style: `broadsheet-slot:state(filled)`. */
export function enter(slot: Slot, state: SlotState): void {
  slot.state = state;
  slot.host.enter?.(state);
}
