import { retryLater } from '../delivery/retry-later.ts';
import type { Transport } from '../delivery/transport.ts';
import { loadOnDemand } from '../load-on-demand.ts';
import type { ClickReceipts, Clicks } from './receipts.ts';

/**
 * Posts clicks so that each is counted once (api.md 4.5, POST /public/ads/tracking/click). `keepalive` lets the request
 * outlive the page. What becomes of it is followed by a file that is loaded then.
 *
 * @param name One journal per API and key, so that two blogs on a page do not post each other's tokens.
 * @param consent Whether the reader lets the page store something.
 */
export function createClicks(
  transport: Transport,
  name: string,
  consent: { readonly storage: boolean },
  report: (cause: unknown) => void,
) {
  const receipts: ClickReceipts = { posted: 0, confirmed: 0, expired: 0, refused: 0, unsent: 0 };
  const prefix = `broadsheet:click:${name}:`;
  const clicks: Clicks = { receipts, transport, prefix, opened: Date.now(), report };
  const withJournal = (use: () => void): void => {
    try {
      if (consent.storage) use();
    } catch {
      // Storage is forbidden or full: there is no journal then; the click itself is not affected.
    }
  };
  const post = (clickToken: string): void => {
    const sent = transport.click(clickToken, { keepalive: true });
    loadOnDemand().then(
      ({ followClick }) => followClick(clicks, clickToken, sent),
      // Without that file the click is sent all the same; the next page finds out what became of it.
      () => sent.catch((cause) => retryLater(cause, () => post(clickToken))),
    );
    // Nobody waits for it until that file is there.
    sent.catch(() => {});
  };
  return {
    receipts,
    register(clickToken: string): void {
      receipts.posted++;
      // Posted before anything else, inside the reader's click: opening the storage can take milliseconds.
      post(clickToken);
      withJournal(() => sessionStorage.setItem(prefix + clickToken, `${Date.now()}`));
    },
    /** Posts what earlier pages of the tab could not. */
    resume: () =>
      withJournal(() => {
        if (!Object.keys(sessionStorage).some((key) => key.startsWith(prefix))) return;
        // The next page tries again.
        loadOnDemand().then(
          ({ resumeClicks }) => resumeClicks(clicks),
          () => {},
        );
      }),
  };
}
