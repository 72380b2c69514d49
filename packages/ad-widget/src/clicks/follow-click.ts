import { backOff, endRow } from '../delivery/backoff.ts';
import { statusOf } from '../delivery/delivery-error.ts';
import { TOKEN_TTL } from '../delivery/pool.ts';
import type { PostedClicks } from './receipts.ts';

type Outcome = 'confirmed' | 'expired' | 'refused';
/** What a status means for a click; any other final status refuses it. */
const OUTCOMES: Record<number, Outcome> = { 409: 'confirmed', 400: 'expired' };

/**
 * Whether a click may be repeated, which is safe because a token counts once: after no response, a server error, too many
 * requests, and an unknown key, which may have been rotated.
 */
function isPassing(status: number): boolean {
  return !status || status >= 500 || status === 429 || status === 401;
}

/**
 * Follows a click that was posted. Without a response it is sent again at once without `keepalive`, because all scripts
 * of a page share a quota of 64 KiB for that; after a response that is not final, this page or the next sends it later.
 *
 * @param sent The first post.
 */
export async function followClick(clicks: PostedClicks, clickToken: string, sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
    settle(clicks, clickToken, 'confirmed');
  } catch (cause) {
    if (statusOf(cause)) fail(clicks, clickToken, cause);
    else await send(clicks, clickToken);
  }
}

/** Posts the clicks that earlier pages of the tab could not post, except those whose token has expired. */
export function resumeClicks(clicks: PostedClicks): void {
  const { journal, opened, receipts, unsent } = clicks;
  const earlier = new Set<string>();
  for (const line of keepLines(journal, (entry) => opened - Number.parseInt(entry, 10) <= TOKEN_TTL * 1000)) {
    const [at, clickToken = ''] = line.split(' ');
    // Later ones were clicked in this page.
    if (Number(at) > opened) continue;
    receipts.posted++;
    earlier.add(clickToken);
    unsent.add(clickToken);
  }
  void sendAll(clicks, earlier);
}

/** @returns whether the response is final. */
async function send(clicks: PostedClicks, clickToken: string): Promise<boolean> {
  clicks.unsent.delete(clickToken);
  try {
    await clicks.transport.click(clickToken, { keepalive: false });
    settle(clicks, clickToken, 'confirmed');
    return true;
  } catch (cause) {
    return fail(clicks, clickToken, cause);
  }
}

/** One at a time: if one fails, the next would too. */
async function sendAll(clicks: PostedClicks, waiting: Iterable<string>): Promise<void> {
  for (const clickToken of waiting) if (!(await send(clicks, clickToken))) break;
}

/** @returns whether the failure is final. */
function fail(clicks: PostedClicks, clickToken: string, cause: unknown): boolean {
  const status = statusOf(cause);
  if (isPassing(status)) {
    clicks.unsent.add(clickToken);
    backOff(clicks, cause, () => sendAll(clicks, clicks.unsent));
    if (status === 401) clicks.report(cause);
    return false;
  }
  const outcome = OUTCOMES[status] ?? 'refused';
  settle(clicks, clickToken, outcome);
  if (outcome === 'refused') clicks.report(cause);
  return true;
}

function settle(clicks: PostedClicks, clickToken: string, outcome: Outcome): void {
  const { receipts, journal } = clicks;
  receipts[outcome]++;
  endRow(clicks);
  try {
    keepLines(journal, (line) => !line.endsWith(` ${clickToken}`));
  } catch {
    // Without storage there is no journal.
  }
}

/** Removes the other lines of the journal. @returns the remaining lines */
function keepLines(journal: string, keep: (line: string) => boolean): string[] {
  const lines: string[] = (sessionStorage[journal] ?? '').split('\n');
  const left = lines.filter((line) => line && keep(line));
  if (left.length) sessionStorage[journal] = left.map((line) => `${line}\n`).join('');
  else sessionStorage.removeItem(journal);
  return left;
}
