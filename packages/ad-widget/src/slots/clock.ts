import type { Ads } from '../ads.ts';
import { advise } from '../advice/advice.ts';
import { resumeClicks, withdrawClicks } from '../clicks/follow-click.ts';
import type { Context } from '../context.ts';
import { type Delivered, TOKEN_TTL } from '../delivery/creative.ts';
import { type Delivery, KEY_TTL } from '../delivery/delivery.ts';
import { isExpired } from '../delivery/pool.ts';
import { reportViewable } from '../delivery/viewable.ts';
import { fit, isFitted } from '../drawing/fit.ts';
import { forgetPopup } from '../drawing/popup-storage.ts';
import { after } from '../timer.ts';
import { whenLoaded } from '../when-loaded.ts';
import { numberOf, setting } from './attributes.ts';
import type { Slot } from './slot.ts';
import { canBeSeen, isHalf } from './visibility.ts';

/** Milliseconds that enough of an ad must be in view to count as viewable (the Media Rating Council's definition). */
const VIEWABLE_AFTER = 1000;
/** The minimum of `refresh`, in seconds. */
const SHORTEST = 30;
/** Milliseconds until a slot behind an overlay is checked again. */
const LOOK_AGAIN = 1000;

/** Handles ads over time: they become viewable after a second, rotate if the slot says so, and expire. */
export class Clock {
  readonly #context: Context;
  /** The time of the reader's last action on this page, in milliseconds since 1970. */
  #acted = 0;
  /** When the page was last shown, in the time of `performance.now()`. */
  #shown = performance.getEntriesByType('visibility-state').at(-1)?.startTime ?? 0;

  /** @param ads For the overlay. */
  constructor(context: Context, ads: Ads) {
    this.#context = context;
    const { signal, slots } = context;
    if (signal.aborted) return;
    document.addEventListener('visibilitychange', this.#comeBack, { signal });
    // From the back/forward cache.
    addEventListener('pageshow', ({ persisted }) => persisted && this.#comeBack(), { signal });
    for (const type of ['pointerdown', 'keydown', 'scroll']) addEventListener(type, this.#act, { signal });
    for (const slot of slots.values()) this.see(slot);
    this.resumeClicks();
    const loadOverlay = () => import('../advice/overlay.ts');
    if (location.search.includes('broadsheet-debug'))
      whenLoaded(loadOverlay, ({ showOverlay }) => signal.addEventListener('abort', showOverlay(ads)));
  }

  /** Posts the clicks that earlier pages could not post, once the reader lets the page store something. */
  readonly resumeClicks = (): void => resumeClicks(this.#context);

  /** Ends what consent allowed: the clicks that wait, and what the storage says about them and about popups. */
  readonly withdraw = (): void => {
    withdrawClicks(this.#context);
    forgetPopup();
  };

  /** Handles the position of a slot that has received an ad, or none. `before` is whether it was in view. */
  see(slot: Slot, before?: boolean): void {
    const { entry, inView } = slot;
    if (inView === false) fit(slot);
    // A reader who jumps back sees the old ad until the new one arrives.
    else if (!before) slot.wanted ||= this.isOverdue(slot);
    if (entry) slot.half = isHalf(entry) ? slot.half || entry.time : 0;
    this.start(slot);
  }

  /** Starts the viewability second: the ad is new, enough of it came into view, or the page was shown. */
  start(slot: Slot): void {
    const { delivered, half } = slot;
    if (delivered?.viewed) return;
    clearTimeout(slot.timer);
    if (!half || !delivered || document.hidden) return;
    const passed = performance.now() - Math.max(half, this.#shown);
    slot.timer = after(Math.max(0, VIEWABLE_AFTER - passed), () => {
      if (canBeSeen(slot)) return this.#viewed(slot, delivered);
      slot.half = performance.now();
      this.start(slot);
    });
  }

  /**
   * Whether the ad of a slot has expired, or the key of a delivery that failed, and the reader has acted since: an idle
   * tab requests nothing.
   */
  isOverdue({ delivered, delivery, state }: Slot): boolean {
    const { since = Date.now() } = (delivery ?? {}) as Partial<Delivery>;
    if (state === 'failed') return Date.now() - since >= KEY_TTL && this.#acted > since + KEY_TTL;
    return !!delivered && isExpired(delivered) && this.#acted > delivered.expiresAt - TOKEN_TTL * 1000;
  }

  #viewed(slot: Slot, delivered: Delivered): void {
    const { counts, emit } = this.#context;
    const { host } = slot;
    // A fallback has no `h1`: the tag was probably not closed, so the ad replaces the rest of the page.
    if (host.querySelector('h1')) void advise('', host);
    delivered.viewed = true;
    counts.viewable++;
    emit(slot, 'viewable');
    reportViewable(this.#context, delivered);
    const seconds = numberOf(setting(host, 'refresh'), 0);
    if (seconds) this.#rotate(slot, Math.max(seconds, SHORTEST) * 1000);
  }

  /** Replaces an ad after a time, or later if the slot cannot be seen then. */
  #rotate(slot: Slot, time: number): void {
    slot.timer = after(time, () => {
      if (!canBeSeen(slot)) return this.#rotate(slot, LOOK_AGAIN);
      slot.wanted = true;
      this.#context.schedule();
    });
  }

  readonly #act = (): void => {
    this.#acted = Date.now();
  };

  readonly #comeBack = (): void => {
    this.#act();
    this.#shown = performance.now();
    for (const slot of this.#context.slots.values()) {
      this.start(slot);
      // An expired ad is replaced when the page is shown again, never while the reader looks at it. If its box would
      // become larger, it is replaced out of view.
      if (!isFitted(slot)) slot.wanted ||= this.isOverdue(slot);
    }
    this.#context.schedule();
  };
}
