import type { Slot } from './slot.ts';

/** Pixels a millisecond. Whoever goes faster is on the way to somewhere else: an ad would not be in view for a second. */
const READING = 0.8;
/** Milliseconds ahead of a reader on the move. */
const AHEAD = 1000;

/**
 * Says which slots the reader will reach. At rest these are the slots near the viewport and not behind; on the move those
 * ahead, as far as a second of reading goes; and none for a reader who jumps, or whose pace is not known yet.
 *
 * @param dwell Milliseconds without scrolling that are a rest.
 * @param changed Called when the answer may be another.
 */
export function watchReach(dwell: number, changed: () => void, signal: AbortSignal): (slot: Slot) => boolean {
  let scroller: EventTarget | null;
  let moving = false;
  let upwards = false;
  let [place, since, pace] = [0, 0, Number.NaN];
  let timer: ReturnType<typeof setTimeout>;

  const onScroll = ({ target }: Event): void => {
    const now = performance.now();
    // The document has no such property; any element of the page may be what scrolls.
    const at = (target as Element).scrollTop ?? scrollY;
    const begins = !moving || target !== scroller;
    if (begins || now - since >= dwell) {
      upwards = at < place;
      pace = begins ? Number.NaN : (at - place) / (now - since);
      [scroller, place, since] = [target, at, now];
      changed();
    }
    moving = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      moving = false;
      changed();
    }, dwell);
  };
  document.addEventListener('scroll', onScroll, { capture: true, passive: true, signal });

  return ({ host, view }) => {
    if (!view.soon) return !!view.near;
    const { top, bottom } = host.getBoundingClientRect();
    if (!moving) return !!view.near && (upwards ? top <= innerHeight : bottom >= 0);
    const ahead = Math.abs(pace) * AHEAD;
    const middle = (top + bottom) / 2;
    // How far it is to the slot in the reader's direction, and how far until half of it is gone.
    const [until, gone] = upwards ? [-bottom, innerHeight - middle] : [top - innerHeight, middle];
    return ahead <= READING * AHEAD && until < ahead && gone > ahead;
  };
}
