import { after, type Timer } from '../timer.ts';
import { numberOf, setting } from './attributes.ts';

/** Seconds below which a declared rotation is not honoured: readers and advertisers both need the time. */
const SHORTEST = 30;

interface Rotating {
  readonly host: Element;
  readonly gone: AbortController;
}

const rotations = new WeakMap<Rotating, Timer>();

/** Exchanges an ad a while after it became viewable: `refresh="60"` on its slot, in seconds. */
export function rotate(slot: Rotating, renew: () => void): void {
  const seconds = numberOf(setting(slot.host, 'refresh'), 0);
  clearTimeout(rotations.get(slot));
  if (!seconds || slot.gone.signal.aborted) return;
  const timer = after(Math.max(seconds, SHORTEST) * 1000, renew);
  rotations.set(slot, timer);
  slot.gone.signal.addEventListener('abort', () => clearTimeout(timer));
}
