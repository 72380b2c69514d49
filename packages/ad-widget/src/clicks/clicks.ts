import type { Context } from '../context.ts';
import type { Delivered } from '../delivery/creative.ts';
import { isExpired } from '../delivery/pool.ts';
import { onDemand } from '../load-on-demand.ts';
import type { Slot } from '../slots/slot.ts';
import { after } from '../timer.ts';

/**
 * Posts a click so that it is counted once (api.md 4.5, POST /public/ads/tracking/click), inside the reader's click.
 * `keepalive` lets the request outlive the page. A file that is loaded when the page is idle writes the journal, because
 * opening the storage can take milliseconds, and handles the response.
 */
export function click(context: Context, slot: Slot, delivered: Delivered): void {
  const { consent, emit, receipts, transport } = context;
  if (delivered.clicked || !consent.ads) return;
  delivered.clicked = true;
  if (isExpired(delivered)) {
    receipts.expired++;
    emit(slot, 'clickexpired');
    return;
  }
  receipts.posted++;
  const sent = (async () => transport.click(delivered.ad.clickToken, { keepalive: true }))();
  // Nothing awaits `sent` until the file has loaded: this prevents an unhandled rejection.
  sent.catch(() => {});
  onDemand(({ followClick }) => followClick(context, delivered, sent));
  emit(slot, 'click');
}

/**
 * Calls back for a click that the page does not prevent: after all of the page's listeners, but while the click is
 * still being dispatched, so that the request is sent before the page is left. It calls back twice for most clicks.
 */
export function unlessPrevented(event: Event, followed: () => void): void {
  const decide = (): void => {
    if (!event.defaultPrevented) followed();
  };
  addEventListener(event.type, decide, { once: true });
  // Needed for pages that stop the event's propagation.
  after(0, decide);
}
