import type { AdFormat } from './delivery/creative.ts';

/** The events of a slot. Events bubble from the slot as `broadsheet:<type>` and cross shadow roots. */
export type AdEventType = 'filled' | 'empty' | 'viewable' | 'click' | 'clickexpired' | 'close' | 'error';

/** The detail of every `broadsheet:*` event. The click token is not part of it: whoever has it can spend it. */
export interface AdEventDetail {
  readonly slotId: string;
  readonly format: AdFormat;
  /** The ad, where one is meant. */
  readonly adId?: string | undefined;
  /** For `error`: what failed. */
  readonly reason?: string | undefined;
}

interface AdEvents {
  'broadsheet:filled': CustomEvent<AdEventDetail>;
  'broadsheet:empty': CustomEvent<AdEventDetail>;
  'broadsheet:viewable': CustomEvent<AdEventDetail>;
  'broadsheet:click': CustomEvent<AdEventDetail>;
  'broadsheet:clickexpired': CustomEvent<AdEventDetail>;
  'broadsheet:close': CustomEvent<AdEventDetail>;
  'broadsheet:error': CustomEvent<AdEventDetail>;
}

declare global {
  interface HTMLElementEventMap extends AdEvents {}
  interface WindowEventMap extends AdEvents {}
}
