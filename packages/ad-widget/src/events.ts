import type { AdFormat } from '@broadsheet/contract';
import type { Slot } from './slots/slot.ts';

/** They bubble from the slot as `broadsheet:<type>` and cross shadow roots. */
export type AdEventType = 'filled' | 'empty' | 'viewable' | 'click' | 'clickexpired' | 'close' | 'error';

/** The detail of every `broadsheet:*` event. The click token is not part of it: anyone who has it can spend it. */
export interface AdEventDetail {
  readonly slotId: string;
  readonly format: AdFormat;
  /** The ad, if the event is about one. */
  readonly adId?: string | undefined;
  /** For `error`: the failure. */
  readonly reason?: string | undefined;
}

export type AdListener = (detail: AdEventDetail, host: HTMLElement) => void;
export type Emit = (slot: Slot, type: AdEventType, reason?: string) => void;

/** Calls a function of the page. Its errors are reported as the page's own and stop nothing here. */
export function callPage<Args extends unknown[]>(call: (...args: Args) => void, ...args: Args): void {
  try {
    call(...args);
  } catch (cause) {
    reportError(cause);
  }
}

type AdEvents = { readonly [Type in AdEventType as `broadsheet:${Type}`]: CustomEvent<AdEventDetail> };

declare global {
  interface HTMLElementEventMap extends AdEvents {}
  interface WindowEventMap extends AdEvents {}
}
