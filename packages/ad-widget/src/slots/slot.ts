import type { AdFormat } from '@broadsheet/contract';
import type { Delivered } from '../delivery/creative.ts';
import type { Timer } from '../timer.ts';

/** The states of a slot. */
export type SlotState = 'waiting' | 'requested' | 'filled' | 'empty' | 'failed';

/** A slot as `inspect()` returns it. */
export interface SlotInfo {
  readonly host: HTMLElement;
  readonly slotId: string;
  readonly format: AdFormat;
  readonly state: SlotState;
}

/** One place in the page that shows ads: its identity, its state and its ad. */
export interface Slot extends SlotInfo {
  /** Only a `<broadsheet-slot>` has states that pages can style. */
  readonly host: HTMLElement & { setState?(state: string): void };
  /** Its attributes when it was created. They differ when an element is reused for another slot. */
  readonly key: string;
  /** From the first request on, the shadow root of the host, or of a child if HTML does not allow one on the host. */
  root?: ShadowRoot | undefined;
  state: SlotState;
  /** Its element was removed or its client destroyed. */
  gone?: boolean;
  leave?: () => void;
  /** Whether it is near enough to the viewport for a reader at rest; a popup sets this itself. */
  near?: boolean;
  /** Some of it is inside the viewport. */
  inView?: boolean;
  /** The last report on how much of it is in the viewport. */
  entry?: IntersectionObserverEntry;
  /** When enough of its ad came into view, which makes it viewable a second later; by `performance.now()`. */
  half?: number;
  timer?: Timer;
  /** Waits for an ad. */
  wanted: boolean;
  /** The delivery that was last sent for it. An ad from an earlier one goes to the pool. */
  delivery?: object;
  delivered?: Delivered | undefined;
  /** Shows a card outside the slot. @returns a function that removes it */
  open?: ((card: HTMLElement, root: ShadowRoot) => () => void) | undefined;
  /** Removes what was rendered outside the shadow root. */
  undraw?: (() => void) | undefined;
}

/** The state that all clients of a page share, including those of other copies of this script. */
interface Shared {
  /** The request in flight for each API and key. */
  readonly inFlight: Map<string, Promise<void>>;
  /** The slots of all clients, by element. */
  readonly slots: WeakMap<Element, Slot>;
  /** Called for each `<broadsheet-slot>` that enters or leaves a page: one function per client. */
  readonly watchers: Set<(host: HTMLElement) => void>;
  /** The popup of this page: no second one is requested while it waits or is open. */
  popup?: Slot | undefined;
}

const SHARED = Symbol.for('broadsheet');

export function shared(): Shared {
  const page: { [SHARED]?: Shared } = document as object;
  page[SHARED] ??= { inFlight: new Map(), slots: new WeakMap(), watchers: new Set() };
  return page[SHARED];
}

/** Changes the state, which pages can style: `broadsheet-slot:state(filled)`. */
export function setState(slot: Slot, state: SlotState): void {
  slot.state = state;
  slot.host.setState?.(state);
}
