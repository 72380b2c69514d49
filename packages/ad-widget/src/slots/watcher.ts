import type { AdsOptions } from '../ads.ts';
import type { Context } from '../context.ts';
import { after, type Timer } from '../timer.ts';
import { whenLoaded } from '../when-loaded.ts';
import { numberOf } from './attributes.ts';
import type { Clock } from './clock.ts';
import { OPENINGS } from './formats.ts';
import type { Reach } from './reach.ts';
import type { Slot } from './slot.ts';
import { canBeSeen } from './visibility.ts';

/** Pixels around the viewport in which ads are requested for a reader at rest. */
const MARGIN = 200;
/** Milliseconds until a slot that cannot be seen yet (faded out, for instance) is checked again. */
const LOOK_AGAIN = 500;
/** The share of a slot that must be near. Not 0: a slot that is clipped to nothing still touches the viewport. */
const SOME = 0.01;

/** Watches which slots of one client the reader can see or will reach. Its clock measures for how long. */
export class Watcher {
  /** Loaded when the page is idle. */
  clock: Clock | undefined;
  readonly #context: Context;
  /** Observes which slots are near. */
  readonly #near: IntersectionObserver;
  /** Observes which of the requested slots are in view. */
  readonly #inside: IntersectionObserver;
  /** Decides which slots the reader will reach. For a reader who scrolls, a separate file does this. */
  reach: Partial<Reach> & Pick<Reach, 'has'> = { has: ({ near }) => !!near };
  #lookAgain: Timer | undefined;

  constructor(context: Context, options: AdsOptions) {
    this.#context = context;
    const { signal } = context;
    const margin = numberOf(options.margin, MARGIN);
    this.#near = this.#observe({ rootMargin: `${margin}px 0px`, threshold: SOME }, (slot, entry) => {
      slot.near = entry.intersectionRatio > 0;
    });
    this.#inside = this.#observe({ threshold: [0, 0.3, 0.5] }, (slot, entry) => {
      const before = slot.inView;
      slot.entry = entry;
      slot.inView = entry.isIntersecting;
      this.clock?.see(slot, before);
    });
    const scrolled = (event: Event): void => {
      const loadReach = () => import('./reach.ts');
      // Nothing is requested until the file has loaded.
      this.reach.has = () => false;
      whenLoaded(loadReach, ({ createReach }) => {
        this.reach = createReach(event, context, margin, options.dwell);
      });
    };
    document.addEventListener('scroll', scrolled, { capture: true, once: true, signal });
    document.addEventListener('visibilitychange', context.schedule, { signal });
  }

  watch(slot: Slot): void {
    const loadPopup = () => import('../drawing/popup.ts');
    if (OPENINGS[slot.format] === 'page')
      whenLoaded(loadPopup, ({ preparePopup }) => preparePopup(slot, this.#context, () => this.clock?.start(slot)));
    else this.#near.observe(slot.host);
  }

  unwatch(slot: Slot): void {
    this.#near.unobserve(slot.host);
    this.#inside.unobserve(slot.host);
    clearTimeout(slot.timer);
  }

  /** Whether the reader can see the slot or will reach it. If it is hidden for now, it is checked again soon. */
  canReach(slot: Slot): boolean {
    if (!this.reach.has(slot)) return false;
    if (canBeSeen(slot)) return true;
    clearTimeout(this.#lookAgain);
    this.#lookAgain = after(LOOK_AGAIN, this.#context.schedule);
    return false;
  }

  /** Watches a slot that has received a new ad, or none. */
  settled(slot: Slot): void {
    if (!slot.open) {
      // Its time starts now. The observer does not report when a slot that had no area gets one.
      slot.half = 0;
      this.#inside.unobserve(slot.host);
      this.#inside.observe(slot.host);
    }
    this.clock?.start(slot);
  }

  #observe(options: IntersectionObserverInit, see: (slot: Slot, entry: IntersectionObserverEntry) => void) {
    return new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const slot = this.#context.slots.get(entry.target);
        if (slot) see(slot, entry);
      }
      this.#context.schedule();
    }, options);
  }
}
