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

/** The last scroll of an element or of the document. */
interface Scroll {
  moving: boolean;
  upwards: boolean;
  place: number;
  since: number;
  /** Pixels per millisecond; `NaN` at first. */
  pace: number;
  timer?: Timer;
}

/**
 * Decides which slots the reader will reach: at rest, those near the viewport and not behind it; while scrolling, those
 * within a second at reading pace. A reader who jumps, or whose pace is not known yet, reaches none. Each scroll
 * container affects only the slots in it, so a ticker elsewhere delays no request. Loaded with the first scroll event.
 */
export class Reach {
  readonly #context: Context;
  readonly #margin: number;
  readonly #rest: number;
  readonly #scrolls = new WeakMap<Node, Scroll>();

  /** @param first The event that this file was loaded for. */
  constructor(first: Event, context: Context, margin: number, dwell: string | number | undefined) {
    this.#context = context;
    this.#margin = margin;
    this.#rest = numberOf(dwell, DWELL);
    this.#scrolled(first);
    document.addEventListener('scroll', (event) => this.#scrolled(event), { capture: true, signal: context.signal });
  }

  #scrolled({ target, timeStamp }: Event): void {
    const rest = this.#rest;
    const scroller = target as Element;
    // The document has no `scrollTop`.
    const at = scroller.scrollTop ?? scrollY;
    const scroll = this.#scrolls.get(scroller) ?? { moving: false, upwards: false, place: 0, since: 0, pace: 0 };
    this.#scrolls.set(scroller, scroll);
    const time = timeStamp - scroll.since;
    if (!scroll.moving || time >= rest) {
      scroll.upwards = at < scroll.place;
      scroll.pace = scroll.moving ? Math.abs((at - scroll.place) / time) : Number.NaN;
      scroll.place = at;
      scroll.since = timeStamp;
      this.#context.schedule();
    }
    scroll.moving = true;
    clearTimeout(scroll.timer);
    scroll.timer = after(rest, () => {
      scroll.moving = false;
      this.#context.schedule();
    });
  }

  /** Whether the reader will reach the slot. */
  has({ host, open, near, inView }: Slot): boolean {
    if (open) return !!near;
    let scroll: Scroll | undefined;
    for (const element of [...ancestors(host), document]) {
      const found = this.#scrolls.get(element);
      if (found && !scroll?.moving) scroll = found;
    }
    // Most slots are in view and at rest: these need no layout.
    if (inView && !scroll?.moving) return true;
    const { top, bottom, height } = host.getBoundingClientRect();
    // The distances, in the direction of scrolling, until the slot is reached and until it has been passed.
    const [until, gone] = scroll?.upwards ? [-bottom, innerHeight - top] : [top - innerHeight, bottom];
    if (!scroll?.moving) return until < this.#margin && gone >= 0;
    const ahead = scroll.pace * AHEAD;
    return scroll.pace <= READING && until < ahead && gone - height / 2 > ahead;
  }

  /** A slot of a format that the reader will not reach, and whose ad nobody has seen. */
  passed(format: Slot['format']): Slot | undefined {
    return [...this.#context.slots.values()].find(
      (slot) => slot.format === format && slot.delivered && isUnseen(slot.delivered) && !slot.inView && !this.has(slot),
    );
  }
}
