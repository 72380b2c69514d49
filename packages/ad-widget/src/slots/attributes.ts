import type { AdFormat } from '../delivery/creative.ts';

/** The attributes of `<broadsheet-slot>`, for JSX and for wrappers. */
export interface SlotAttributes {
  format: AdFormat | Lowercase<AdFormat>;
  /** The slot's name in requests, events and `stats`; default is a running number. */
  name?: string | undefined;
  /** The client it belongs to, on a page with several keys. */
  client?: string | undefined;
  /** `keep` leaves the reserved box when there is no ad; default is to collapse it out of the reader's view. */
  empty?: 'keep' | 'collapse' | undefined;
  /** Seconds after which a viewed ad is exchanged; at least 30. Default: never. */
  refresh?: number | undefined;
  /** Replaces the word "Advertisement". */
  label?: string | undefined;
  /** POPUP: hours between two of them on the site. Default 24. */
  every?: number | undefined;
  /** POPUP: a modal dialog instead of the corner card. */
  dialog?: '' | undefined;
}

/** What a page may write a slot as. */
export const SELECTOR = 'broadsheet-slot,[data-broadsheet-slot]';
export const FORMATS = ['BANNER', 'SIDEBAR', 'POPUP', 'INLINE', 'NATIVE'];

/** A setting of a slot: `name` on the element, `data-name` on a plain `div`. */
export function setting(host: Element, name: string): string | null {
  return host.getAttribute(name) ?? host.getAttribute(`data-${name}`);
}
