import type { Slot } from './slot.ts';

/** Pixels a millisecond. Whoever goes faster is on the way to somewhere else: an ad would not be in view for a second. */
const READING = 0.8;
/** Milliseconds ahead of a reader on the move. */
const AHEAD = 1000;

/**
 * Says which slots the reader will reach. At rest these are the slots near the viewport and not behind; on the move those
 * ahead, as far as a second of reading goes; and none for a reader who jumps, or whose pace is not known yet.
 *
 * @param margin How far from the viewport is near for a reader at rest, pixels.
 * @param dwell Milliseconds without scrolling that are a rest.
 * @param changed Called when the answer may be another.
 */
export function watchReach(
  margin: number,
  dwell: number,
  changed: () => void,
  signal: AbortSignal,
): (slot: Slot) => boolean {
  let scroller: EventTarget | null;
  let moving = false;
  let upwards = false;
  let [place, since, pace] = [0, 0, Number.NaN];
  let timer: ReturnType<typeof setTimeout>;

  const onScroll = ({ target, timeStamp }: Event): void => {
    // The document has no such property; any element of the page may be what scrolls.
    const at = (target as Element).scrollTop ?? scrollY;
    const begins = !moving || target !== scroller;
    if (begins || timeStamp - since >= dwell) {
      upwards = at < place;
      pace = begins ? Number.NaN : Math.abs((at - place) / (timeStamp - since));
      [scroller, place, since] = [target, at, timeStamp];
      changed();
    }
    moving = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      moving = false;
      changed();
    }, dwell);
  };
  document.addEventListener('scroll', onScroll, { capture: true, signal });

  return ({ host, view, open }) => {
    if (!view.near || open) return !!view.near;
    // Most slots are asked about when they are in view, at rest: for these nothing is measured.
    if (view.inView && !moving) return true;
    const { top, bottom, height } = host.getBoundingClientRect();
    // How far it is to the slot in the reader's direction, and how far until all of it is gone.
    const [until, gone] = upwards ? [-bottom, innerHeight - top] : [top - innerHeight, bottom];
    if (!moving) return until < margin && gone >= 0;
    const ahead = pace * AHEAD;
    return pace <= READING && until < ahead && gone - height / 2 > ahead;
  };
}
