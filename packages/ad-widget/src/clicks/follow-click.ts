import { advise } from '../advice/advice.ts';
import type { Context } from '../context.ts';
import { backOff, endRow } from '../delivery/backoff.ts';
import { type Delivered, TOKEN_TTL } from '../delivery/creative.ts';
import { failureOf } from '../delivery/delivery-error.ts';

/**
 * The prefix of the journal's entries in `sessionStorage`: one for each unconfirmed click, with the time. The API and
 * the key follow, so that two blogs on a page do not post each other's tokens; the token comes last.
 */
const JOURNAL = 'broadsheet:clicks:';
/** Milliseconds that a click token is valid. */
const TTL = TOKEN_TTL * 1000;

type Clicks = Pick<Context, 'baseUrl' | 'consent' | 'line' | 'opened' | 'receipts' | 'transport' | 'unsent'>;
type Waiting = readonly [clickToken: string, expiresAt: number];

/**
 * Follows a click that was posted. Without a response it is sent again at once without `keepalive`, because all scripts
 * of a page share a quota of 64 KiB for that; after a response that is not final, this page or the next sends it later.
 */
export async function followClick(
  clicks: Clicks,
  { ad: { clickToken }, expiresAt }: Pick<Delivered, 'ad' | 'expiresAt'>,
  sent: Promise<unknown>,
): Promise<void> {
  if (clicks.consent.storage)
    withJournal(clicks, (journal) => {
      sessionStorage[journal + clickToken] = Date.now();
    });
  try {
    await sent;
    settle(clicks, clickToken, 'confirmed');
  } catch (cause) {
    if (failureOf(cause)) fail(clicks, [clickToken, expiresAt], cause);
    else await send(clicks, [clickToken, expiresAt]);
  }
}

/** The clients whose journal was read. */
const resumed = new WeakSet<Clicks>();

/** Posts the clicks that earlier pages of the tab could not post, except those whose token has expired. */
export function resumeClicks(clicks: Clicks): void {
  const { consent, opened, receipts, unsent } = clicks;
  if (resumed.has(clicks) || !consent.storage) return;
  resumed.add(clicks);
  const earlier: Waiting[] = [];
  withJournal(clicks, (journal) => {
    for (const [name, value] of Object.entries(sessionStorage)) {
      const at = Number(value);
      // Later entries are clicks on this page.
      if (!name.startsWith(journal) || at > opened) continue;
      if (opened - at > TTL) sessionStorage.removeItem(name);
      else earlier.push([name.slice(journal.length), at + TTL]);
    }
  });
  for (const [clickToken, expiresAt] of earlier) unsent.set(clickToken, expiresAt);
  receipts.posted += earlier.length;
  void sendAll(clicks, earlier);
}

/** Gives up the clicks that wait, after the reader has withdrawn consent, and removes their tokens from the storage. */
export function withdrawClicks(clicks: Clicks): void {
  const { consent, unsent } = clicks;
  if (!consent.ads) for (const clickToken of unsent.keys()) settle(clicks, clickToken, 'refused');
  if (!consent.ads) unsent.clear();
  if (consent.storage) return;
  withJournal(clicks, (journal) => {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(journal)) sessionStorage.removeItem(name);
  });
}

/** Resolves to whether the response is final. */
async function send(clicks: Clicks, [clickToken, expiresAt]: Waiting): Promise<boolean> {
  clicks.unsent.delete(clickToken);
  // Consent stands before every request, not only before the first.
  if (!clicks.consent.ads) return settle(clicks, clickToken, 'refused');
  if (Date.now() > expiresAt) return settle(clicks, clickToken, 'expired');
  try {
    await clicks.transport.click(clickToken, { keepalive: false });
    return settle(clicks, clickToken, 'confirmed');
  } catch (cause) {
    return fail(clicks, [clickToken, expiresAt], cause);
  }
}

/** One at a time: if one fails, the next would fail, too. */
async function sendAll(clicks: Clicks, waiting: Iterable<Waiting>): Promise<void> {
  for (const click of waiting) if (!(await send(clicks, click))) break;
}

function fail(clicks: Clicks, [clickToken, expiresAt]: Waiting, cause: unknown): boolean {
  const { baseUrl, unsent } = clicks;
  const status = failureOf(cause);
  if (status === 409) return settle(clicks, clickToken, 'confirmed');
  if (status === 400) return settle(clicks, clickToken, 'expired');
  // An unknown key may have been rotated. A token counts once, so a repeat is safe.
  const isFinal = !!status && status < 500 && status !== 429 && status !== 401;
  if (isFinal || status === 401) void advise(baseUrl, cause);
  if (isFinal) return settle(clicks, clickToken, 'refused');
  unsent.set(clickToken, expiresAt);
  backOff(clicks, cause, () => sendAll(clicks, [...unsent]));
  return false;
}

function settle(clicks: Clicks, clickToken: string, outcome: 'confirmed' | 'expired' | 'refused'): true {
  clicks.receipts[outcome]++;
  endRow(clicks);
  withJournal(clicks, (journal) => sessionStorage.removeItem(journal + clickToken));
  return true;
}

/** @param use Receives the prefix of the names of the entries. Writing needs consent; reading and removing do not. */
function withJournal({ line }: Clicks, use: (journal: string) => void): void {
  try {
    use(`${JOURNAL}${line} `);
  } catch {
    // Storage is forbidden or full: there is no journal, but the click itself is not affected.
  }
}
