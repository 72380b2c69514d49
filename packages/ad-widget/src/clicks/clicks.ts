import type { Transport } from '../delivery/creative.ts';
import { loadOnDemand, onDemand } from '../load-on-demand.ts';
import { after } from '../timer.ts';
import type { PostedClicks } from './receipts.ts';

/**
 * Posts clicks so that each is counted once (api.md 4.5, POST /public/ads/tracking/click). `keepalive` lets the request
 * outlive the page. The response is handled by a file that is loaded on demand.
 *
 * @param name Names the journal: one per API and key, so that two blogs on a page do not post each other's tokens.
 * @param consent Whether the reader lets the page store something.
 */
export function createClicks(
  transport: Transport,
  name: string,
  consent: { readonly storage: boolean },
  report: (cause: unknown) => void,
) {
  const journal = `broadsheet:clicks:${name}`;
  const clicks: PostedClicks = {
    receipts: { posted: 0, confirmed: 0, expired: 0, refused: 0 },
    unsent: new Set(),
    transport,
    journal,
    opened: Date.now(),
    report,
  };
  const withJournal = (use: () => void): void => {
    try {
      if (consent.storage) use();
    } catch {
      // Storage is forbidden or full: there is no journal, but the click itself is not affected.
    }
  };
  /** @param later Milliseconds until the click is posted again while the on-demand file cannot be loaded. */
  const post = (clickToken: string, later = 5000): void => {
    const sent = transport.click(clickToken, { keepalive: true });
    loadOnDemand().then(
      ({ followClick }) => followClick(clicks, clickToken, sent),
      // Without that file the click is still sent, and again later.
      () => sent.catch(() => after(later, () => post(clickToken, later * 3))),
    );
    // Nothing awaits `sent` until that file has loaded: this prevents an unhandled rejection.
    sent.catch(() => {});
  };
  return {
    ...clicks,
    register(clickToken: string): void {
      clicks.receipts.posted++;
      // Posted before anything else, inside the reader's click: opening the storage can take milliseconds.
      post(clickToken);
      withJournal(() => {
        sessionStorage[journal] = `${sessionStorage[journal] ?? ''}${Date.now()} ${clickToken}\n`;
      });
    },
    /** Posts what earlier pages of the tab could not. */
    resume: () =>
      withJournal(() => {
        if (!sessionStorage[journal]) return;
        onDemand(({ resumeClicks }) => resumeClicks(clicks));
      }),
  };
}

/**
 * Calls back for a click that the page does not prevent: after all of the page's listeners, but while the click is
 * still being dispatched, so that the request is sent before the page is left.
 *
 * @param followed Called twice for most clicks; what it did for the first call must be enough.
 */
export function unlessPrevented(event: Event, followed: () => void): void {
  const decide = (): void => {
    if (!event.defaultPrevented) followed();
  };
  window.addEventListener(event.type, decide, { once: true });
  // For a page that stops the event's propagation.
  after(0, decide);
}
