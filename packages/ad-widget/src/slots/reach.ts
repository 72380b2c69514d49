import { after, type Timer } from '../timer.ts';
import type { Slot } from './slot.ts';

/** Pixels per millisecond. A faster reader is on the way to somewhere else: an ad would not be in view for a second. */
const READING = 0.8;
/** Milliseconds ahead of a reader on the move. */
const AHEAD = 1000;

/**
 * Decides which slots the reader will reach. At rest these are the slots near the viewport and not behind; on the move
 * those ahead, as far as a second of reading goes; and none for a reader who jumps, or whose pace is not known yet.
 */
export class Reach {
  readonly #margin: number;
  readonly #dwell: number;
  readonly #changed: () => void;
  #scroller: EventTarget | null = null;
  #moving = false;
  #upwards = false;
  #place = 0;
  #since = 0;
  #pace = Number.NaN;
  #timer: Timer | undefined;

  /**
   * @param margin How far from the viewport is near for a reader at rest, pixels.
   * @param dwell Milliseconds without scrolling that are a rest.
   * @param changed Called when the slots that the reader will reach may have changed.
   */
  constructor(margin: number, dwell: number, changed: () => void, signal: AbortSignal) {
    this.#margin = margin;
    this.#dwell = dwell;
    this.#changed = changed;
    document.addEventListener('scroll', (event) => this.#scrolled(event), { capture: true, signal });
  }

  #scrolled({ target, timeStamp }: Event): void {
    // The document has no such property; any element of the page may be what scrolls.
    const at = (target as Element).scrollTop ?? scrollY;
    const begins = !this.#moving || target !== this.#scroller;
    if (begins || timeStamp - this.#since >= this.#dwell) {
      this.#upwards = at < this.#place;
      this.#pace = begins ? Number.NaN : Math.abs((at - this.#place) / (timeStamp - this.#since));
      this.#scroller = target;
      this.#place = at;
      this.#since = timeStamp;
      this.#changed();
    }
    this.#moving = true;
    clearTimeout(this.#timer);
    this.#timer = after(this.#dwell, () => {
      this.#moving = false;
      this.#changed();
    });
  }

  /** Whether the reader will get to the slot. */
  has({ host, near, inView, open }: Slot): boolean {
    if (!near || open) return !!near;
    // Most slots are looked at when they are in view, at rest: for these nothing is measured.
    if (inView && !this.#moving) return true;
    const { top, bottom, height } = host.getBoundingClientRect();
    // How far it is to the slot in the reader's direction, and how far until all of it is gone.
    const [until, gone] = this.#upwards ? [-bottom, innerHeight - top] : [top - innerHeight, bottom];
    if (!this.#moving) return until < this.#margin && gone >= 0;
    const ahead = this.#pace * AHEAD;
    return this.#pace <= READING && until < ahead && gone - height / 2 > ahead;
  }
}
