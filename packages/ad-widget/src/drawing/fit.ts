import { ancestors } from '../slots/ancestors.ts';
import { setting } from '../slots/attributes.ts';
import type { Slot } from '../slots/slot.ts';
import { SHEET, sheet } from './style.ts';

/** These override the box that the page's style sheet reserves. */
const FITTED = ':host{block-size:auto!important;contain:none!important}';
const COLLAPSED = ':host{display:none!important}';

/**
 * Gives a slot out of view the height of its ad, or none without an ad, unless the publisher keeps its box
 * (`empty="keep"`), has a fallback, or lets ads be replaced in view. An image without text has no height until it has
 * loaded, so it keeps the box. In browsers without scroll anchoring, a change above the viewport would move the text, so
 * the box stays as it is until it is below the viewport.
 */
export function fit({ host, root, state, wanted, gone, open }: Slot): void {
  if (!root || gone || open) return;
  const isEmpty = /empty|failed/.test(state) && !wanted;
  const isStable = state === 'filled' && !setting(host, 'refresh') && !root.querySelector('.bare');
  if (isEmpty ? mustStay(host, root.host) : !isStable) return;
  if (host.getBoundingClientRect().top < innerHeight && !isAnchored(host)) return;
  root.adoptedStyleSheets = isEmpty ? [sheet(COLLAPSED)] : [sheet(SHEET), sheet(FITTED)];
}

/** Whether a slot has the height of its ad. Its next ad has the box that the page reserves. */
export function isFitted({ root }: Slot): boolean {
  return !!root?.adoptedStyleSheets.includes(sheet(FITTED));
}

/** @param holder The element with the shadow root, which may be a child of the host. */
function mustStay(host: Element, holder: Element): boolean {
  const isOther = (child: Element): boolean => child !== holder;
  return setting(host, 'empty') === 'keep' || !!host.textContent?.trim() || [...host.children].some(isOther);
}

/** Whether the browser keeps the text in place when something above it changes its height. */
function isAnchored(host: Element): boolean {
  return [...ancestors(host)].every((element) => getComputedStyle(element).overflowAnchor === 'auto');
}
