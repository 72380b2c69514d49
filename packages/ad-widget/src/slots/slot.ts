import { explain } from '../advice/explain.ts';
import type { AdFormat, Delivered } from '../delivery/creative.ts';
import { MAX_SLOT_ID } from '../delivery/limits.ts';
import { draw } from '../drawing/draw.ts';
import { renderRoot, showFallback } from '../drawing/renderer.ts';
import { loadOnDemand } from '../load-on-demand.ts';
import { FORMATS, setting } from './attributes.ts';
import type { SlotElement } from './element.ts';

/** Where a slot is in its life. */
export type SlotState = 'waiting' | 'requested' | 'filled' | 'empty' | 'failed';

/** Where a slot stands, as the observers of `viewability.ts` report it. */
export interface SlotView {
  /** Near enough to the viewport that its reader may soon be there. */
  near?: boolean;
  /** Some of it is inside the viewport. */
  inView?: boolean;
  /** Enough of it is to count as viewable after a second. */
  half?: boolean;
  /** The slots whose second ends with its own; it is one of them while that is so and its ad is not viewable yet. */
  clock?: Set<Slot>;
}

/** One place in the page that shows ads. It changes by the functions of this file alone. */
export interface Slot {
  readonly host: SlotElement;
  readonly slotId: string;
  readonly format: AdFormat;
  readonly state: SlotState;
  /** An ad is to be delivered as soon as nothing speaks against it. */
  readonly wanted: boolean;
  /** Deliveries that failed in a row. */
  readonly failures: number;
  /** The ad that stands in it. */
  readonly shown?: Delivered | undefined;
  /** The delivery that answered it last; none for an ad that was there already. */
  readonly requestId?: string | null | undefined;
  /** Milliseconds the main thread was busy with that answer, the page's own listeners included. */
  readonly busy?: number;
  readonly view: SlotView;
  /** Where a card goes that does not stand in the slot itself; returns what takes it away. */
  readonly open?: OpenCard | undefined;
  /** Takes back what drawing set up outside the shadow root. */
  readonly undraw?: (() => void) | undefined;
  /** Runs until a declared rotation exchanges the ad. */
  readonly rotation?: ReturnType<typeof setTimeout>;
}

/** Puts a card somewhere else in the page; returns what takes it away. */
export type OpenCard = (card: HTMLElement, root: ShadowRoot) => () => void;

type Changing = { -readonly [Key in keyof Slot]: Slot[Key] };

/** Seconds below which a declared rotation is not honoured: readers and buyers both need the time. */
const SHORTEST_ROTATION = 30;
/** The mark of a host that has an owner; registered, so that two copies of this file agree. */
const OWNER = Symbol.for('broadsheet.owner');
let counter = 0;

/**
 * Makes `host` a slot, or says why not. Attributes of the host are never written: hydration would not forgive it.
 *
 * @returns `undefined` when another client owns it or it has no known format.
 */
export function claim(host: SlotElement & { [OWNER]?: boolean | undefined }): Slot | undefined {
  const format = setting(host, 'format')?.toUpperCase() ?? '';
  if (host[OWNER]) return undefined;
  if (!FORMATS.includes(format)) {
    explain(format, host);
    return undefined;
  }
  host[OWNER] = true;
  const name = host.getAttribute('name') ?? host.getAttribute('data-broadsheet-slot');
  return {
    host,
    // As the API counts characters: a smiley is one, though a string has two units of it.
    slotId: [...(name || `slot-${++counter}`)].slice(0, MAX_SLOT_ID).join(''),
    format: format as AdFormat,
    state: 'waiting',
    wanted: true,
    failures: 0,
    view: {},
  };
}

/** Lets another client have the host, without an ad. */
export function disclaim(slot: Slot): Delivered | undefined {
  (slot.host as { [OWNER]?: boolean | undefined })[OWNER] = undefined;
  clearTimeout(slot.rotation);
  return vacate(slot);
}

/** From now on its cards are opened by `open`, outside of the slot. */
export function openCardsBy(slot: Changing, open: OpenCard): void {
  slot.open = open;
}

/** An ad is wanted. The one that stands in it stays until the next is there. */
export function want(slot: Changing): void {
  if (!slot.shown) vacate(slot);
  slot.wanted = true;
}

/**
 * Exchanges its ad after a while, only where the publisher declared it on the slot (`refresh="60"`, seconds after the ad
 * became viewable).
 */
export function rotate(slot: Changing, renewed: (slot: Slot) => void): void {
  const seconds = Number(setting(slot.host, 'refresh'));
  clearTimeout(slot.rotation);
  if (seconds > 0) slot.rotation = setTimeout(renewed, Math.max(seconds, SHORTEST_ROTATION) * 1000, slot);
}

/** It is part of a request. */
export function request(slot: Changing): void {
  slot.wanted = false;
  slot.state = 'requested';
}

/** Draws an ad into it. */
export function fill(slot: Changing, delivered: Delivered, followed: (event: Event) => void): void {
  const { host, format, open } = slot;
  // What no fallback has: the tag was not closed, and the ad would take the place of the page behind it.
  if (host.firstElementChild && host.querySelector('h1,h2,main,article,broadsheet-slot')) explain('', host);
  const root = renderRoot(host);
  const card = draw(host, format, delivered.ad, { followed, broken: explain });
  slot.undraw?.();
  slot.undraw = open?.(card, root);
  if (!open) root.replaceChildren(card);
  slot.shown = delivered;
  slot.wanted = false;
  slot.failures = 0;
  enter(slot, 'filled');
}

/** Its ad leaves it, and what the publisher wrote between the tags stands there. @returns the ad */
export function vacate(
  slot: Changing,
  state: SlotState = 'waiting',
  wanted = state === 'waiting',
): Delivered | undefined {
  const { host, shown } = slot;
  slot.undraw?.();
  slot.undraw = slot.shown = undefined;
  slot.wanted = wanted;
  showFallback(host);
  enter(slot, state);
  fold(slot);
  return shown;
}

/** It could not be delivered to. An ad that is already there is better than none. */
export function fail(slot: Changing, again: boolean): void {
  slot.failures++;
  if (slot.shown) enter(slot, 'filled');
  else vacate(slot, 'failed', again);
  slot.wanted = again;
}

/** Takes its box away when no ad will come, out of the reader's view. */
export function fold({ host, state, wanted, view }: Slot): void {
  if (view.inView || wanted || !/empty|failed/.test(state)) return;
  loadOnDemand().then(
    ({ collapse }) => collapse(host),
    () => {},
  );
}

/** How it was answered, for display. */
export function answered(slot: Changing, requestId: Slot['requestId'], since: number): void {
  slot.requestId = requestId;
  slot.busy = performance.now() - since;
}

/** Lets the page style `broadsheet-slot:state(filled)`. */
function enter(slot: Changing, state: SlotState): void {
  slot.state = state;
  slot.host.enter?.(state);
}
