import { explain } from '../advice/explain.ts';
import type { AdFormat, Delivered } from '../delivery/creative.ts';
import { MAX_SLOT_ID } from '../delivery/limits.ts';
import { FORMATS, setting } from './attributes.ts';
import type { SlotElement } from './element.ts';

/** Where a slot is in its life. */
export type SlotState = 'waiting' | 'asked' | 'filled' | 'empty' | 'failed';

/** One place in the page that shows ads. */
export interface Slot {
  readonly host: SlotElement;
  readonly slotId: string;
  readonly format: AdFormat;
  state: SlotState;
  /** An ad is to be asked for as soon as nothing speaks against it. */
  wanted: boolean;
  /** Within the margin around the viewport. */
  near?: boolean;
  /** At most 1000 px below the viewport: a second of fast scrolling. */
  soon?: boolean;
  /** Some of it is inside the viewport. */
  inView?: boolean;
  /** Half of it is. */
  half?: boolean;
  /** Runs while half of an ad is looked at that is not viewable yet. */
  clock?: ReturnType<typeof setTimeout>;
  /** Runs until a declared rotation asks for the next ad. */
  rotation?: ReturnType<typeof setTimeout>;
  /** The delivery that answered it last; none for an ad that was there already. */
  requestId?: string | null | undefined;
  /** Milliseconds the main thread was busy with showing that answer, the page's own listeners included. */
  busy?: number;
  /** Deliveries that failed in a row. */
  failures: number;
  shown?: Delivered | undefined;
  /** Where a card goes that does not stand in the slot itself; returns what takes it away. */
  open?: (card: HTMLElement, root: ShadowRoot) => () => void;
  /** Takes back what drawing set up outside the shadow root. */
  undraw?: (() => void) | undefined;
}

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
  if (!FORMATS.test(format)) {
    explain(format, host);
    return undefined;
  }
  host[OWNER] = true;
  const name = host.getAttribute('name') ?? host.getAttribute('data-broadsheet-slot');
  return {
    host,
    slotId: (name || `slot-${++counter}`).slice(0, MAX_SLOT_ID),
    format: format as AdFormat,
    state: 'waiting',
    wanted: true,
    failures: 0,
  };
}

/** Lets another client have the host. */
export function disclaim(host: Slot['host']): void {
  (host as { [OWNER]?: boolean | undefined })[OWNER] = undefined;
}
