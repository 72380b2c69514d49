import { AD_FORMATS } from '@broadsheet/contract';
import { accepted, anyToken, click, clickOrigin, deliver, deliverBatch } from '../deliver.ts';
import { equal, holds } from '../expect.ts';
import { failure } from '../failure.ts';
import { send } from '../send.ts';
import { filledFormat } from '../survey.ts';
import { section, type Target, Unchecked } from '../target.ts';

const promised = section({ section: '4.5', effect: 'counts' });
const origins = section({ section: '4.5', effect: 'counts', needs: ['origins'] });
const decided = section({ section: 'decided', effect: 'counts', needs: ['origins'] });
/** How often a format is requested before an ad that came each time counts as the only one of its priority. */
const DRAWS = 24;

/** The blog under test, or the other one of the snapshot, as long as it has domains; and a page on one of them. */
async function withDomains(target: Target): Promise<{ readonly blog: Target; readonly page: URL }> {
  const origin = await clickOrigin(target);
  if (origin !== undefined) return { blog: target, page: new URL(origin) };
  const { otherKey } = target;
  if (otherKey === undefined) throw new Unchecked('the blog has no domains, so it takes clicks from everywhere');
  const other = 'https://blog.example';
  return { blog: { ...target, apiKey: otherKey, origin: other }, page: new URL(other) };
}

/** Section 4.5 on any blog that has an ad, with real tokens. */
export const foundAdCases = [
  promised(
    'a format that delivers alone delivers in a batch, and the first of its slots gets the same ad',
    async (target) => {
      await filledFormat(target);
      for (const format of AD_FORMATS) {
        const drawn = new Set<string>();
        for (let draw = 0; draw < DRAWS && drawn.size < 2; draw += 1) {
          const ad = await deliver(target, format);
          drawn.add(ad.filled ? ad.id : 'none');
        }
        const results = await deliverBatch(target, [format, format, format, format]);
        const [first] = results;
        equal(first?.filled, !drawn.has('none'), `${format}: filled in a batch`);
        if (drawn.size === 1 && first?.filled) equal(first.id, [...drawn][0], `${format}: the first ad of a batch`);
        const gap = results.findIndex(({ filled }) => !filled);
        holds(
          gap < 0 || results.slice(gap).every(({ filled }) => !filled),
          `${format}: no slot is left empty before a filled one`,
        );
      }
    },
  ),
  promised('a repeated click on an ad cannot be told from a counted one', async (target) => {
    const format = await filledFormat(target);
    const headersOf = (answer: { headers: Headers }) => [...answer.headers.keys()].sort().join();
    const seen = new Map<string, string>();
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const { id, clickToken } = await deliver(target, format);
      const answer = await click(target, clickToken);
      accepted(answer);
      const outcome = `${answer.text} ${headersOf(answer)}`;
      const before = seen.get(id);
      seen.set(id, outcome);
      if (before === undefined) continue;
      equal(outcome, before, 'body and names of the headers of the repeated click');
      failure(await click(target, clickToken), 'CLICK_TOKEN_USED');
      return;
    }
    throw new Unchecked(`${DRAWS} deliveries of ${format} never showed an ad twice`);
  }),
  origins('clicks come from the domains of the blog alone, by Origin and by Referer', async (target) => {
    const { blog, page } = await withDomains(target);
    const { origin, host, hostname } = page;
    const clickToken = await anyToken(blog);
    const lookalike = `https://stranger${hostname.split('.').slice(-2).join('.')}`;
    for (const Origin of ['https://stranger.invalid', `https://${host}.stranger.invalid`, lookalike]) {
      failure(await click(blog, clickToken, { headers: { Origin } }), 'ORIGIN_NOT_ALLOWED');
    }
    const Referer = `https://stranger.invalid/${origin}/`;
    failure(await click(blog, clickToken, { headers: { Referer } }), 'ORIGIN_NOT_ALLOWED');
    accepted(await click(blog, clickToken, { headers: { Referer: `${origin}/a/page?with=query` } }));
  }),
  decided(
    'a click without origin is 403, and what was refused for its origin leaves the token good',
    async (target) => {
      const { blog, page } = await withDomains(target);
      const clickToken = await anyToken(blog);
      const refused = [{}, { Origin: 'null' }, { Origin: 'nonsense' }, { Origin: 'null', Referer: `${page.origin}/` }];
      for (const headers of refused) failure(await click(blog, clickToken, { headers }), 'ORIGIN_NOT_ALLOWED');
      accepted(await click(blog, clickToken, { headers: { Origin: `http://${page.host.toUpperCase()}` } }));
      const headers = { Origin: 'https://stranger.invalid' };
      failure(await click(blog, clickToken, { headers }), 'ORIGIN_NOT_ALLOWED');
    },
  ),
  origins('without domains a blog takes clicks from everywhere', async (target) => {
    if ((await clickOrigin(target)) !== undefined) throw new Unchecked('the blog has domains');
    for (const headers of [{}, { Origin: 'https://stranger.invalid' }, { Origin: 'null' }]) {
      accepted(await click(target, await anyToken(target), { headers }));
    }
  }),
  promised('tracking/impression leaves a token good', async (target) => {
    const clickToken = await anyToken(target);
    for (let time = 0; time < 2; time += 1) {
      accepted(await send(target, '/public/ads/tracking/impression', { json: { clickToken } }));
    }
    accepted(await click(target, clickToken));
  }),
];
