import { after, type Timer } from '../timer.ts';
import { numberOf, setting } from './attributes.ts';

/** Seconds below which a declared rotation is not honoured: readers and advertisers both need the time. */
const SHORTEST = 30;
/** Milliseconds until a slot behind an overlay is looked at again. */
const LOOK_AGAIN = 1000;

interface Rotating {
  readonly host: Element;
  readonly gone?: boolean;
}

const rotations = new WeakMap<Rotating, Timer>();

/** Exchanges an ad a while after it became viewable (`refresh="60"` on its slot, in seconds), unless something covers it. */
export function rotate(slot: Rotating, renew: () => void): void {
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

/** Whether something else is drawn over the middle of what the viewport shows of `host`, such as a modal dialog. */
function isCovered(host: Element): boolean {
  const { left, right, top, bottom } = host.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  let found = document.elementFromPoint(x, y);
  // Each shadow root shows only its own elements.
  while (found && found !== host && found.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return !!found && !host.contains(found);
}
