import { command } from './command.ts';

/** The total impressions, including those that do not count, and the clicks of a blog's ads, from `stats --json`. */
export async function adCounts(blog: string, database: string, options: { readonly cwd: string }) {
  const { stdout, stderr } = await command(['stats', blog, '--json', '--database', database], options);
  if (stdout === '') throw new Error(stderr);
  const { ads } = JSON.parse(stdout) as { ads: { delivered: number; clicks: number }[] };
  return {
    impressions: ads.reduce((sum, ad) => sum + ad.delivered, 0),
    clicks: ads.reduce((sum, ad) => sum + ad.clicks, 0),
  };
}

/** Counters for sent and acknowledged events. */
export const noEvents = () => ({ impressions: 0, clicks: 0, sentImpressions: 0, sentClicks: 0 });

/**
 * Delivers and clicks in a loop until the server is gone, and adds up the acknowledged events. Each click has a
 * different IP address, in a header that the server trusts, so that no click is a repeat.
 */
export async function deliverUntilGone(
  url: string,
  loop: number,
  acknowledged: ReturnType<typeof noEvents>,
  addressHeader = 'X-Forwarded-For',
): Promise<void> {
  // One connection per request, because some engines close idle connections without notice.
  const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json', Connection: 'close' };
  try {
    for (let turn = 0; ; turn += 1) {
      acknowledged.sentImpressions += 1;
      const delivery = await fetch(`${url}/public/ads/formats/BANNER`, { headers });
      if (delivery.status !== 200) throw new Error(`delivery: ${delivery.status}`);
      acknowledged.impressions += 1;
      const { clickToken } = (await delivery.json()) as { clickToken: string };
      acknowledged.sentClicks += 1;
      const click = await fetch(`${url}/public/ads/tracking/click`, {
        method: 'POST',
        headers: { ...headers, [addressHeader]: `10.${loop}.${(turn >> 8) & 255}.${turn & 255}` },
        body: JSON.stringify({ clickToken }),
      });
      if (click.status !== 200) throw new Error(`click: ${click.status}`);
      acknowledged.clicks += 1;
    }
  } catch (error) {
    // The only expected end is a broken connection.
    if (!(error instanceof TypeError)) throw error;
  }
}
