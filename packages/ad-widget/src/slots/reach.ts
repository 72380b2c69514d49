import type { Context } from '../context.ts';
import { isUnseen } from '../delivery/pool.ts';
import { after, type Timer } from '../timer.ts';
import { ancestors } from './ancestors.ts';
import { numberOf } from './attributes.ts';
import type { Slot } from './slot.ts';

/** Milliseconds without a scroll event after which a reader is at rest. */
const DWELL = 200;
/** Pixels per millisecond. A faster reader skips what is in between: an ad would not be in view for a second. */
const READING = 0.8;
/** How many milliseconds of scrolling ahead ads are requested. */
const AHEAD = 1000;

export type Reach = ReturnType<typeof createReach>;

/** The last scroll of an element or of the document. Its pace is in pixels per millisecond, and `NaN` at first. */
type Scroll = { moving: boolean; upwards: boolean; place: number; since: number; pace: number; timer?: Timer };

/**
 * Decides which slots the reader will reach: at rest, those near the viewport and not behind it; while scrolling, those
 * within a second at reading pace. A reader who jumps, or whose pace is not known yet, reaches none. Each scroll
 * container affects only the slots in it, so a ticker elsewhere delays no request. Loaded with the first scroll event.
 *
 * @param first The event that this file was loaded for.
 */
export function createReach(first: Event, context: Context, margin: number, dwell: string | number | undefined) {
  const rest = numberOf(dwell, DWELL);
  const scrolls = new WeakMap<Node, Scroll>();

  const scrolled = ({ target, timeStamp }: Event): void => {
    const scroller = target as Element;
    // The document has no `scrollTop`.
    const at = scroller.scrollTop ?? scrollY;
    const scroll = scrolls.get(scroller) ?? { moving: false, upwards: false, place: 0, since: 0, pace: 0 };
    scrolls.set(scroller, scroll);
    const time = timeStamp - scroll.since;
    if (!scroll.moving || time >= rest) {
      scroll.upwards = at < scroll.place;
      scroll.pace = scroll.moving ? Math.abs((at - scroll.place) / time) : Number.NaN;
      scroll.place = at;
      scroll.since = timeStamp;
      context.schedule();
    }
    scroll.moving = true;
    clearTimeout(scroll.timer);
    scroll.timer = after(rest, () => {
      scroll.moving = false;
      context.schedule();
    });
  };

  /** Whether the reader will reach the slot. */
  const has = ({ host, open, near, inView }: Slot): boolean => {
    if (open) return !!near;
    let scroll: Scroll | undefined;
    for (const element of [...ancestors(host), document]) {
      const found = scrolls.get(element);
      if (found && !scroll?.moving) scroll = found;
    }
    // Most slots are in view and at rest: these need no layout.
    if (inView && !scroll?.moving) return true;
    const { top, bottom, height } = host.getBoundingClientRect();
    // The distances, in the direction of scrolling, until the slot is reached and until it has been passed.
    const [until, gone] = scroll?.upwards ? [-bottom, innerHeight - top] : [top - innerHeight, bottom];
    if (!scroll?.moving) return until < margin && gone >= 0;
    const ahead = scroll.pace * AHEAD;
    return scroll.pace <= READING && until < ahead && gone - height / 2 > ahead;
  };

  /** A slot of a format that the reader will not reach, and whose ad nobody has seen. */
  const passed = (format: Slot['format']): Slot | undefined =>
    [...context.slots.values()].find(
      (slot) => slot.format === format && slot.delivered && isUnseen(slot.delivered) && !slot.inView && !has(slot),
    );

  scrolled(first);
  document.addEventListener('scroll', scrolled, { capture: true, signal: context.signal });
  return { has, passed };
}
