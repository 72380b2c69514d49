import { isPassing, statusOf, type Transport } from '../delivery/transport.ts';
import type { Journal } from './journal.ts';

/** What became of the clicks of this page. `posted` minus the others are under way or wait for the next page. */
export interface ClickReceipts {
  posted: number;
  /** Counted by the API, also when it says so with a 409. */
  confirmed: number;
  /** Followed after the token's ten minutes: the reader got there, the click is not counted. */
  expired: number;
  /** Refused for another reason, usually 403: the page's origin is not the blog's domain. */
  refused: number;
  /** Could not be sent; the journal tries again on the next page. */
  unsent: number;
}

/**
 * Posts clicks so that each is counted once (api.md 4.5, POST /public/ads/tracking/click).
 *
 * `keepalive` lets the request outlive the page. The page shares 64 KiB of it among all its scripts, so a rejected one
 * is repeated once without; what fails then stays in the journal.
 */
export function createClicks(transport: Transport, journal: Journal, refused: (cause: unknown) => void) {
  const receipts: ClickReceipts = { posted: 0, confirmed: 0, expired: 0, refused: 0, unsent: 0 };

  const send = async (clickToken: string, keepalive: boolean): Promise<void> => {
    try {
      // Called before anything is awaited: the request leaves inside the reader's click.
      await transport.click(clickToken, { keepalive });
      settle(clickToken, 'confirmed');
    } catch (cause) {
      const status = statusOf(cause);
      if (isPassing(status)) {
        if (keepalive) return send(clickToken, false);
        receipts.unsent++;
      } else if (status === 409) settle(clickToken, 'confirmed');
      else if (status === 400) settle(clickToken, 'expired');
      else {
        settle(clickToken, 'refused');
        refused(cause);
      }
    }
  };
  const settle = (clickToken: string, outcome: 'confirmed' | 'expired' | 'refused'): void => {
    receipts[outcome]++;
    journal.remove(clickToken);
  };
  const register = (clickToken: string): void => {
    receipts.posted++;
    // Posted first: opening the storage can take milliseconds, and the page may be going away.
    void send(clickToken, true);
    journal.add(clickToken);
  };
  return {
    receipts,
    register,
    /** Posts what earlier pages of the tab could not. */
    resume: () => journal.pending().forEach(register),
  };
}
