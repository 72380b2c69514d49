import { backOff } from '../delivery/backoff.ts';
import { TOKEN_TTL } from '../delivery/limits.ts';
import { isPassing, statusOf } from '../delivery/status.ts';
import type { Clicks } from './receipts.ts';

type Outcome = 'confirmed' | 'expired' | 'refused';
/** What an answer means for a click, where it is no plain success. */
const OUTCOMES: Record<number, Outcome> = { 409: 'confirmed', 400: 'expired' };

interface Unsent {
  readonly tokens: Set<string>;
  retry(): void;
}
const unsent = new WeakMap<Clicks, Unsent>();

/**
 * Follows a click that was posted: what was not answered is sent again at once without `keepalive`, as the page shares
 * 64 KiB of that among all its scripts, and then later, by this page or the next.
 *
 * @param sent The first post.
 */
export async function followClick(clicks: Clicks, clickToken: string, sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
    settle(clicks, clickToken, 'confirmed');
  } catch (cause) {
    if (!isPassing(statusOf(cause))) refused(clicks, clickToken, cause);
    else if (!(await send(clicks, clickToken))) clicks.receipts.unsent = unsentOf(clicks).tokens.size;
  }
}

/** Posts what earlier pages of the tab could not; what has expired is forgotten. */
export function resumeClicks(clicks: Clicks): void {
  const { prefix, opened, receipts } = clicks;
  let found = false;
  for (const [key, at] of Object.entries<string>(sessionStorage)) {
    if (!key.startsWith(prefix)) continue;
    if (opened - Number(at) > TOKEN_TTL * 1000) sessionStorage.removeItem(key);
    else if (Number(at) <= opened) {
      found = true;
      receipts.posted++;
      unsentOf(clicks).tokens.add(key.slice(prefix.length));
    }
  }
  if (found) void sendAll(clicks);
}

/** @returns whether the API was there to answer. */
async function send(clicks: Clicks, clickToken: string): Promise<boolean> {
  const { tokens, retry } = unsentOf(clicks);
  tokens.delete(clickToken);
  try {
    await clicks.transport.click(clickToken, { keepalive: false });
    settle(clicks, clickToken, 'confirmed');
  } catch (cause) {
    if (isPassing(statusOf(cause))) {
      tokens.add(clickToken);
      backOff(cause, retry);
      return false;
    }
    refused(clicks, clickToken, cause);
  }
  return true;
}

/** One after the other: where the first fails, the next would. */
async function sendAll(clicks: Clicks): Promise<void> {
  const { tokens } = unsentOf(clicks);
  for (const clickToken of tokens) if (!(await send(clicks, clickToken))) break;
  clicks.receipts.unsent = tokens.size;
}

function unsentOf(clicks: Clicks): Unsent {
  let found = unsent.get(clicks);
  if (!found) {
    found = { tokens: new Set(), retry: () => void sendAll(clicks) };
    unsent.set(clicks, found);
  }
  return found;
}

function refused(clicks: Clicks, clickToken: string, cause: unknown): void {
  const outcome = OUTCOMES[statusOf(cause)] ?? 'refused';
  settle(clicks, clickToken, outcome);
  if (outcome === 'refused') clicks.report(cause);
}

function settle({ receipts, prefix }: Clicks, clickToken: string, outcome: Outcome): void {
  receipts[outcome]++;
  try {
    sessionStorage.removeItem(prefix + clickToken);
  } catch {
    // Storage is forbidden: there is no journal then.
  }
}
