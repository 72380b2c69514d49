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

/** A `<broadsheet-slot>`; a plain `div` that is a slot has no states. */
export interface SlotElement extends HTMLElement {
  enter?(state: string): void;
}

/** One place in the page that shows ads. */
export interface Slot extends SlotInfo {
  readonly host: SlotElement;
  /** Its attributes when it was made. They differ when an element is reused for another slot. */
  readonly key: string;
  /** Exists from its first request on: the host's, or a child's if HTML allows the host no shadow root. */
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
  /** Its element was removed or its client destroyed. */
  gone?: boolean;
  /** Called when `gone` is set. */
  leave?: () => void;
  /** Waits for an ad. */
  wanted: boolean;
  /** The ad that is shown in it. */
  shown?: Delivered | undefined;
  /** Opens cards outside the slot. */
  open?: OpenCard | undefined;
  /** Removes what was drawn outside the shadow root. */
  undraw?: (() => void) | undefined;
}

/** Shows a card elsewhere in the page. @returns a function that removes it */
export type OpenCard = (card: HTMLElement, root: ShadowRoot) => () => void;

/** What all clients of a page share, including those of other copies of this script. */
interface Shared {
  /** The request in flight for each API and key. */
  readonly lines: Map<string, Promise<void>>;
  /** The slots of all clients, by element. */
  readonly slots: WeakMap<Element, Slot>;
  /** Called for each `<broadsheet-slot>` that enters or leaves a page: one function per client. */
  readonly watchers: Set<(host: HTMLElement) => void>;
}

const SHARED = Symbol.for('broadsheet');

/** The state that is shared through the document. */
export function shared(): Shared {
  const page: { [SHARED]?: Shared } = document as object;
  page[SHARED] ??= { lines: new Map(), slots: new WeakMap(), watchers: new Set() };
  return page[SHARED];
}
