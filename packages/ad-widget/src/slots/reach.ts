import { after, type Timer } from '../timer.ts';
import { numberOf } from './attributes.ts';

/** Milliseconds without scrolling that are a rest. */
const DWELL = 200;
/** Pixels per millisecond. A faster reader is on the way to somewhere else: an ad would not be in view for a second. */
const READING = 0.8;
/** Milliseconds ahead of a reader on the move. */
const AHEAD = 1000;

/** What is known of a slot here. */
interface Placed {
  readonly host: Element;
  readonly near?: boolean;
  readonly inView?: boolean;
  /** Its card opens outside of it. */
  readonly open?: unknown;
}

/** How an element, or the document, was scrolled last. */
interface Scroll {
  moving: boolean;
  upwards: boolean;
  place: number;
  since: number;
  /** Pixels per millisecond; not known at first. */
  pace: number;
  timer?: Timer;
}

interface ReachOptions {
  /** How far from the viewport is near for a reader at rest, pixels. */
  readonly margin: number;
  /** Milliseconds without scrolling that are a rest. */
  readonly dwell: string | number | undefined;
  readonly signal: AbortSignal;
  /** Called when the slots that the reader will reach may have changed. */
  changed(): void;
}

/**
 * Decides which slots the reader will reach. At rest these are the slots near the viewport and not behind; on the move
 * those ahead, as far as a second of reading goes; and none for a reader who jumps, or whose pace is not known yet. Only
 * what contains a slot counts for it: a ticker elsewhere in the page moves nobody. Loaded when a page is first scrolled.
 */
class Reach {
  readonly #options: ReachOptions;
  readonly #dwell: number;
  readonly #scrolls = new WeakMap<Node, Scroll>();

  constructor(options: ReachOptions) {
    this.#options = options;
    this.#dwell = numberOf(options.dwell, DWELL);
  }

  /** Takes note of a scroll event. */
  readonly scrolled = ({ target, timeStamp }: Event): void => {
    const scroller = target as Element;
    // The document has no such property; any element of the page may be what scrolls.
    const at = scroller.scrollTop ?? scrollY;
    const scroll = this.#scrolls.get(scroller) ?? { moving: false, upwards: false, place: 0, since: 0, pace: 0 };
    this.#scrolls.set(scroller, scroll);
    const time = timeStamp - scroll.since;
    if (!scroll.moving || time >= this.#dwell) {
      scroll.upwards = at < scroll.place;
      scroll.pace = scroll.moving ? Math.abs((at - scroll.place) / time) : Number.NaN;
      scroll.place = at;
      scroll.since = timeStamp;
      this.#options.changed();
    }
    scroll.moving = true;
    clearTimeout(scroll.timer);
    scroll.timer = after(this.#dwell, () => {
      scroll.moving = false;
      this.#options.changed();
    });
  };

  /** Whether the reader will get to the slot. */
  has({ host, near, inView, open }: Placed): boolean {
    if (open) return !!near;
    let scroll: Scroll | undefined;
    for (let node: Node | null = host; node; node = node.parentNode ?? (node as ShadowRoot).host) {
      const found = this.#scrolls.get(node);
      if (found && !scroll?.moving) scroll = found;
    }
    // Most slots are looked at when they are in view, at rest: for these nothing is measured.
    if (inView && !scroll?.moving) return true;
    const { top, bottom, height } = host.getBoundingClientRect();
    // How far it is to the slot in the reader's direction, and how far until all of it is gone.
    const [until, gone] = scroll?.upwards ? [-bottom, innerHeight - top] : [top - innerHeight, bottom];
    if (!scroll?.moving) return until < this.#options.margin && gone >= 0;
    const ahead = scroll.pace * AHEAD;
    return scroll.pace <= READING && until < ahead && gone - height / 2 > ahead;
  }
}

/**
 * Watches how the page is scrolled.
 *
 * @param first The event that this file was loaded for.
 * @returns whether the reader will get to a slot
 */
export function watchReach(first: Event, options: ReachOptions): (slot: Placed) => boolean {
  const reach = new Reach(options);
  reach.scrolled(first);
  document.addEventListener('scroll', reach.scrolled, { capture: true, signal: options.signal });
  return (slot) => reach.has(slot);
}
