import { send } from './send.ts';
import { survey } from './survey.ts';
import type { Target } from './target.ts';

/** Where the clicks of a blog may come from. */
export interface ClickOrigins {
  /** Whether the blog has domains, so that clicks from elsewhere are refused. */
  readonly domains: boolean;
  /** The origin of a page on one of them; `undefined` when the blog has none, or none could be found. */
  readonly origin: string | undefined;
}

/** How many hosts are tried before the domains of a blog count as unknown. */
const MAX_CANDIDATES = 200;

/**
 * Finds out whether a blog has domains, and one of them: the one of the target, else any host in the blog's content
 * that it accepts. Nothing is counted, since what is sent is no token.
 */
export async function learnOrigin(target: Target): Promise<ClickOrigins> {
  const refused = async (headers: Readonly<Record<string, string>>) =>
    (await send(target, '/public/ads/tracking/click', { json: { clickToken: 'none' }, headers })).status === 403;
  // Who names a page claims that there are domains; a server that accepts every click has none.
  if (target.origin !== undefined) return { domains: true, origin: target.origin };
  if (!(await refused({}))) return { domains: false, origin: undefined };
  for (const host of await candidates(target)) {
    const origin = `https://${host}`;
    if (!(await refused({ Origin: origin }))) return { domains: true, origin };
  }
  return { domains: true, origin: undefined };
}

/** The host of the API and those in the content, the most frequent first, each with the domains above it. */
async function candidates(target: Target): Promise<readonly string[]> {
  const { posts } = await survey(target);
  const counts = new Map<string, number>();
  for (const [, host = ''] of JSON.stringify(posts).matchAll(/https?:\/\/([\w.-]+(?::\d+)?)/g)) {
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  const named = [...counts].sort(([, one], [, two]) => two - one).map(([host]) => host);
  const hosts = [new URL(target.baseUrl).host, ...named].flatMap((host) => [host, ...parents(host)]);
  return [...new Set(hosts.flatMap((host) => [host, `www.${host}`]))].slice(0, MAX_CANDIDATES);
}

/** `b.c` and what else stands above `a.b.c`, top-level domains left out. */
function parents(host: string): string[] {
  const parts = host.split('.');
  return parts.slice(1, -1).map((_, index) => parts.slice(index + 1).join('.'));
}
