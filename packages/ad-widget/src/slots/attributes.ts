import type { AdFormat } from '@broadsheet/contract';
import { OPENINGS } from './formats.ts';

/** The attributes of `<broadsheet-slot>`, for JSX and for wrappers. */
export interface SlotAttributes {
  format: AdFormat | Lowercase<AdFormat>;
  /** The slot's name in requests and events; by default numbered: `slot-1`. */
  name?: string | undefined;
  /** The client it belongs to, on a page with several keys. */
  client?: string | undefined;
  /** `keep` leaves the reserved box when there is no ad; by default it collapses outside the reader's view. */
  empty?: 'keep' | 'collapse' | undefined;
  /** Seconds after which a viewed ad is replaced; at least 30. Default: never. */
  refresh?: number | undefined;
  /** Replaces the word "Advertisement". */
  label?: string | undefined;
  /** POPUP: hours between two popups on the site. Default 24. */
  every?: number | undefined;
  /** POPUP: a modal dialog instead of the corner card. */
  dialog?: '' | undefined;
}

/** The two forms of markup of a slot. */
export const SELECTOR = 'broadsheet-slot,[data-broadsheet-slot]';

/** A setting of a slot: `name` on the element, `data-name` on a plain `div`. */
export function setting(host: Element, name: string): string | null {
  return host.getAttribute(name) ?? host.getAttribute(`data-${name}`);
}

/** The name of a slot in either form of markup; empty when it has none. */
export function nameOf(host: Element): string {
  return host.getAttribute('data-broadsheet-slot') || setting(host, 'name') || '';
}

/** The format of a slot; `undefined` when it has none or an unknown one. */
export function formatOf(host: Element): AdFormat | undefined {
  const format = setting(host, 'format')?.toUpperCase() ?? '';
  return format in OPENINGS ? (format as AdFormat) : undefined;
}

/** A number from a page, such as `200px`; `fallback` for anything that is not a non-negative number. */
export function numberOf(value: string | number | null | undefined, fallback: number): number {
  const number = parseFloat(`${value}`);
  return number >= 0 ? number : fallback;
}
