import type { AdFormat } from '@broadsheet/contract';
import type { Delivered } from '../delivery/creative.ts';
import { MAX_SLOT_ID } from '../delivery/limits.ts';
import { draw } from '../drawing/draw.ts';
import { SHEET, sheet } from '../drawing/style.ts';
import { explain, onDemand } from '../load-on-demand.ts';
import type { Timer } from '../timer.ts';
import { formatOf, nameOf, setting } from './attributes.ts';

/** Where a slot is in its life. */
export type SlotState = 'waiting' | 'requested' | 'filled' | 'empty' | 'failed';

/** A slot as `inspect()` returns it. */
export interface SlotInfo {
  readonly host: HTMLElement;
  readonly slotId: string;
  readonly format: AdFormat;
  readonly state: SlotState;
}

/** A `<broadsheet-slot>`; a plain `div` that is a slot has no states. */
export interface SlotElement extends HTMLElement {
  enter?(state: string): void;
}

/** One place in the page that shows ads. */
export interface Slot {
  readonly host: SlotElement;
  readonly slotId: string;
  readonly format: AdFormat;
  /** What its attributes said when it was made, to notice an element that is reused for another slot. */
  readonly key: string;
  /** What it is drawn into, from its first request on: of its host, or of a child where HTML lets the host have none. */
  root?: ShadowRoot | undefined;
  /** Near enough to the viewport for a reader at rest. */
  near?: boolean;
  /** Some of it is inside the viewport. */
  inView?: boolean;
  /** Enough of it is in the viewport to count as viewable after a second. */
  half?: boolean;
  /** Runs until its ad is viewable. */
  clock?: Timer;
  state: SlotState;
  /** It is no slot any longer: its element was removed, or its client was destroyed. */
  gone?: boolean;
  /** Called when it is gone. */
  leave?: () => void;
  /** An ad is to be delivered as soon as nothing prevents it. */
  wanted: boolean;
  /** The ad that is shown in it. */
  shown?: Delivered | undefined;
  /** Opens cards outside the slot. */
  open?: OpenCard | undefined;
  /** Takes back what drawing set up outside the shadow root. */
  undraw?: (() => void) | undefined;
}

/** Puts a card somewhere else in the page; returns what takes it away. */
export type OpenCard = (card: HTMLElement, root: ShadowRoot) => () => void;

/** What all clients of a page share, including those of other copies of this script. */
interface Shared {
  /** The request under way for each API and key. */
  readonly lines: Map<string, Promise<void>>;
  /** What some client made a slot. */
  readonly slots: WeakMap<Element, Slot>;
  /** Clients that look for slots, in the order they were made. */
  readonly watchers: Set<(host: HTMLElement) => void>;
}

const SHARED = Symbol.for('broadsheet');

/** The state that is shared through the document. */
export function shared(): Shared {
  const page: { [SHARED]?: Shared } = document as object;
  page[SHARED] ??= { lines: new Map(), slots: new WeakMap(), watchers: new Set() };
  return page[SHARED];
}

/** Elements that may have children but no shadow root. */
const HOLDERS = /^(LI|T[DH]|D[DT]|FIG\w+)$/;

/** The attributes that say which slot an element is. */
export function keyOf(host: Element): string {
  return [nameOf(host), formatOf(host), setting(host, 'client')].join();
}

/**
 * Makes `host` a slot. Attributes of the host are never written, because frameworks compare them when they hydrate.
 *
 * @param others The slots of the client: one without a name gets the first number that none of them has, so that an
 *   application with routes has as many placements as it has slots.
 * @returns `undefined` when another client owns it or it has no known format.
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
    // The API counts code points, not UTF-16 units.
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

/** Lets another client have the host, without an ad. @returns the ad it had */
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
 * Makes what the slot is drawn into, before an ad is requested for it. Until there is an ad the page's children are
 * shown; before that neither hydration nor the style of the page has met a shadow root.
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

/** An ad is wanted. The current one stays until the next is there. */
export function want(slot: Slot): void {
  if (!slot.shown) vacate(slot);
  slot.wanted = true;
}

/** Draws an ad into it. */
export function fill(slot: Slot, delivered: Delivered, followed: (event: Event) => void): void {
  const { host, format, open, root } = slot;
  if (!root) return;
  // A fallback has none of these: the tag was not closed, and the ad would take the place of the page behind it.
  if (host.firstElementChild && host.querySelector('h1')) explain('', host);
  root.adoptedStyleSheets = [sheet(SHEET)];
  const card = draw(host, format, delivered.ad, followed);
  slot.undraw?.();
  slot.undraw = open?.(card, root);
  if (!open) root.replaceChildren(card);
  slot.shown = delivered;
  slot.wanted = false;
  enter(slot, 'filled');
}

/** Removes its ad and shows what the publisher wrote between the tags. @returns the ad */
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

/** Its delivery failed. An ad that is already there stays. */
export function fail(slot: Slot, again: boolean): void {
  if (slot.shown) enter(slot, 'filled');
  else vacate(slot, 'failed', again);
  slot.wanted = again;
}

/** Takes its box away when no ad will come, out of the reader's view. */
export function fold(slot: Slot): void {
  if (slot.inView || slot.wanted || !/empty|failed/.test(slot.state)) return;
  onDemand(({ collapse }) => collapse(slot));
}

/** Changes its state, which a page can style: `broadsheet-slot:state(filled)`. */
export function enter(slot: Slot, state: SlotState): void {
  slot.state = state;
  slot.host.enter?.(state);
}
