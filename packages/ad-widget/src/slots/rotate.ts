import { after, type Timer } from '../timer.ts';
import { numberOf, setting } from './attributes.ts';
import type { Slot } from './slot.ts';

/** The minimum of `refresh`, in seconds. */
const SHORTEST = 30;
/** Milliseconds until a slot behind an overlay is checked again. */
const LOOK_AGAIN = 1000;

const rotations = new WeakMap<Slot, Timer>();

/** Replaces an ad some time after it became viewable (`refresh="60"` on its slot, in seconds), unless something covers it. */
export function rotate(slot: Slot, renew: () => void): void {
  const seconds = numberOf(setting(slot.host, 'refresh'), 0);
  clearTimeout(rotations.get(slot));
  if (!seconds || slot.gone) return;
  const exchange = (): void => {
    if (slot.gone) return;
    if (isCovered(slot)) wait(LOOK_AGAIN);
    else renew();
  };
  const wait = (time: number): void => void rotations.set(slot, after(time, exchange));
  wait(Math.max(seconds, SHORTEST) * 1000);
}

/** Whether something is drawn over the centre of the visible part of a slot, such as a modal dialog. */
export function isCovered({ host, open }: Slot): boolean {
  // The card of a popup is in the top layer.
  if (open) return false;
  const { left, right, top, bottom } = host.getBoundingClientRect();
  const at = [
    (Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
    (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
  ] as const;
  let found = document.elementFromPoint(...at);
  // Each shadow root reports only its own elements. An ancestor is found where the slot has `pointer-events: none`.
  while (found && !host.contains(found)) {
    const inner: Element | null | undefined = found.shadowRoot?.elementFromPoint(...at);
    if (!inner || inner === found) return !found.contains(host);
    found = inner;
  }
  return false;
}
