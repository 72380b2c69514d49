import type { AdFormat, Delivered } from './creative.ts';
import type { SlotElement } from './element.ts';
import { MAX_SLOT_ID } from './limits.ts';
import { setting } from './setting.ts';
import { COLLAPSED, SHEET, sheet } from './style.ts';

/** Where a slot is in its life. */
export type SlotState = 'waiting' | 'asked' | 'filled' | 'empty' | 'failed';

/** One place in the page that shows ads. */
export interface Slot {
  readonly host: SlotElement;
  readonly root: ShadowRoot;
  readonly slotId: string;
  readonly format: AdFormat;
  state: SlotState;
  /** An ad is to be asked for as soon as nothing speaks against it. */
  wanted: boolean;
  /** Within the margin around the viewport. */
  near: boolean;
  /** Some of it is inside the viewport. */
  inView: boolean;
  /** Runs until a declared rotation asks for the next ad. */
  rotation?: ReturnType<typeof setTimeout> | undefined;
  /** Deliveries that failed in a row. */
  failures: number;
  shown?: Delivered | undefined;
  /** Where a card goes that does not stand in the slot itself; returns what takes it away. */
  open?: ((card: HTMLElement) => () => void) | undefined;
  /** Takes back what drawing set up outside the shadow root. */
  undraw?: (() => void) | undefined;
}

export const SELECTOR = 'broadsheet-slot,[data-broadsheet-slot]';
const FORMATS = /^(BANNER|SIDEBAR|POPUP|INLINE|NATIVE)$/;
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
  if (!isFormat(format)) {
    console.warn(`broadsheet: unknown format "${format}"`, host);
    return undefined;
  }
  host[OWNER] = true;
  const name = host.getAttribute('name') ?? host.getAttribute('data-broadsheet-slot');
  const slot: Slot = {
    host,
    root: host.shadowRoot ?? host.attachShadow({ mode: 'open' }),
    slotId: (name || `slot-${++counter}`).slice(0, MAX_SLOT_ID),
    format,
    state: 'waiting',
    wanted: true,
    near: false,
    inView: false,
    failures: 0,
  };
  showFallback(slot);
  return slot;
}

/** Gives the host back as it was found. */
export function disclaim(slot: Slot): void {
  clearTimeout(slot.rotation);
  showFallback(slot);
  (slot.host as { [OWNER]?: boolean | undefined })[OWNER] = undefined;
}

/** Gives the slot its look, and back its box if it was collapsed. */
export function dress(slot: Slot, ...more: readonly string[]): void {
  slot.root.adoptedStyleSheets = [SHEET, ...more].map(sheet);
}

/** Shows what the publisher wrote between the tags. It also stands there until the first ad comes. */
export function showFallback(slot: Slot): void {
  slot.undraw?.();
  slot.undraw = undefined;
  slot.shown = undefined;
  dress(slot);
  slot.root.replaceChildren(document.createElement('slot'));
}

/**
 * Takes the box away when there is nothing to show in it, unless the publisher keeps it (`empty="keep"`), has a
 * fallback, or the reader has it in view: then it waits until the slot is out of sight.
 */
export function collapse(slot: Slot): void {
  const nothing = slot.state === 'empty' || slot.state === 'failed';
  if (!nothing || slot.inView || slot.host.childElementCount || setting(slot.host, 'empty') === 'keep') return;
  dress(slot, COLLAPSED);
}

function isFormat(format: string): format is AdFormat {
  return FORMATS.test(format);
}
