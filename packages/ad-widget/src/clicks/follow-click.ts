import { backOff } from '../delivery/backoff.ts';
import { statusOf } from '../delivery/delivery-error.ts';
import { TOKEN_TTL } from '../delivery/limits.ts';
import type { PostedClicks } from './receipts.ts';

type Outcome = 'confirmed' | 'expired' | 'refused';
/** What a status means for a click; any other that is final refuses it. */
const OUTCOMES: Record<number, Outcome> = { 409: 'confirmed', 400: 'expired' };

/**
 * Worth repeating, because a token counts once: no response at all, a server error, too many requests; and a key that is
 * not known, which may be one that was just replaced.
 */
function isPassing(status: number): boolean {
  return !status || status >= 500 || status === 429 || status === 401;
}

interface Unsent {
  readonly tokens: Set<string>;
  retry(): void;
}
const unsent = new WeakMap<PostedClicks, Unsent>();

/**
 * Follows a click that was posted. Without a response it is sent again at once without `keepalive`, because all scripts
 * of a page share 64 KiB of that; after a response that is not final it waits, for this page or the next.
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
  clicks.receipts.unsent = unsentOf(clicks).tokens.size;
}

/** Posts what earlier pages of the tab could not; what has expired is forgotten. */
export function resumeClicks(clicks: PostedClicks): void {
  const { journal, opened, receipts } = clicks;
  const earlier = new Set<string>();
  const lines: string[] = (sessionStorage[journal] ?? '').split('\n').filter(Boolean);
  const alive = lines.filter((line) => opened - Number.parseInt(line, 10) <= TOKEN_TTL * 1000);
  write(journal, alive);
  for (const line of alive) {
    const [at, clickToken = ''] = line.split(' ');
    // Later ones were clicked in this page.
    if (Number(at) > opened) continue;
    receipts.posted++;
    earlier.add(clickToken);
    unsentOf(clicks).tokens.add(clickToken);
  }
  void sendAll(clicks, earlier);
}

/** @returns whether the API was there to answer. */
async function send(clicks: PostedClicks, clickToken: string): Promise<boolean> {
  unsentOf(clicks).tokens.delete(clickToken);
  try {
    await clicks.transport.click(clickToken, { keepalive: false });
    settle(clicks, clickToken, 'confirmed');
    return true;
  } catch (cause) {
    return fail(clicks, clickToken, cause);
  }
}

/** One after the other: where the first fails, the next would. */
async function sendAll(clicks: PostedClicks, waiting: Iterable<string>): Promise<void> {
  for (const clickToken of waiting) if (!(await send(clicks, clickToken))) break;
  clicks.receipts.unsent = unsentOf(clicks).tokens.size;
}

function unsentOf(clicks: PostedClicks): Unsent {
  let found = unsent.get(clicks);
  if (!found) {
    const tokens = new Set<string>();
    found = { tokens, retry: () => void sendAll(clicks, tokens) };
    unsent.set(clicks, found);
  }
  return found;
}

/** @returns whether that is final. */
function fail(clicks: PostedClicks, clickToken: string, cause: unknown): boolean {
  const status = statusOf(cause);
  if (isPassing(status)) {
    const { tokens, retry } = unsentOf(clicks);
    tokens.add(clickToken);
    backOff(cause, retry);
    if (status === 401) clicks.report(cause);
    return false;
  }
  const outcome = OUTCOMES[status] ?? 'refused';
  settle(clicks, clickToken, outcome);
  if (outcome === 'refused') clicks.report(cause);
  return true;
}

function settle({ receipts, journal }: PostedClicks, clickToken: string, outcome: Outcome): void {
  receipts[outcome]++;
  try {
    const lines: string[] = (sessionStorage[journal] ?? '').split('\n');
    write(
      journal,
      lines.filter((line) => line && !line.endsWith(` ${clickToken}`)),
    );
  } catch {
    // Storage is forbidden: there is no journal then.
  }
}

function write(journal: string, lines: readonly string[]): void {
  if (lines.length) sessionStorage[journal] = lines.map((line) => `${line}\n`).join('');
  else sessionStorage.removeItem(journal);
}
