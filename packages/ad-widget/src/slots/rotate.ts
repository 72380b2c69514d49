import { after, type Timer } from '../timer.ts';
import { numberOf, setting } from './attributes.ts';
import type { Slot } from './slot.ts';

/** The shortest time an ad is shown, in seconds, whatever `refresh` says. */
const SHORTEST = 30;
/** Milliseconds until a slot behind an overlay is looked at again. */
const LOOK_AGAIN = 1000;

const rotations = new WeakMap<Slot, Timer>();

/** Replaces an ad some time after it became viewable (`refresh="60"` on its slot, in seconds), unless something covers it. */
export function rotate(slot: Slot, renew: () => void): void {
  const seconds = numberOf(setting(slot.host, 'refresh'), 0);
  clearTimeout(rotations.get(slot));
  if (!seconds || slot.gone) return;
  const exchange = (): void => {
    if (slot.gone) return;
    if (isCovered(slot.host)) wait(LOOK_AGAIN);
    else renew();
  };
  const wait = (time: number): void => void rotations.set(slot, after(time, exchange));
  wait(Math.max(seconds, SHORTEST) * 1000);
}

/** Whether another element is drawn over the centre of the visible part of `host`, such as a modal dialog. */
function isCovered(host: Element): boolean {
  const { left, right, top, bottom } = host.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  let found = document.elementFromPoint(x, y);
  // Each shadow root reports only its own elements.
  while (found?.shadowRoot && !host.contains(found)) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  // An ancestor is found where the slot has `pointer-events: none`.
  return !!found && !host.contains(found) && !found.contains(host);
}
