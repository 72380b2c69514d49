import { accepted, anyToken, click, type Delivered, deliver, gained, sendBatch } from '../deliver.ts';
import { equal, holds } from '../expect.ts';
import { AD } from '../fixture/ads.ts';
import { send, type TargetResponse } from '../send.ts';
import { ok } from '../success.ts';
import { filledFormat } from '../survey.ts';
import { section, type Target, Unchecked } from '../target.ts';
import { forgeries } from './click-tokens.ts';
import { words } from './methods.ts';

const decided = section({ section: 'decided', effect: 'counts' });
const counted = section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'adCounts'] });
const timed = section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'adCounts', 'clock'] });
const prefetched = section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'adCounts', 'origins'] });
const MINUTE = 60_000;
/** The headers that a browser sends with a beacon. */
const TEXT = { 'Content-Type': 'text/plain;charset=UTF-8' };

/** The path that a delivery names. A server that names none cannot be checked. */
async function pathOf(target: Target): Promise<string> {
  const { headers } = await send(target, `/public/ads/formats/${await filledFormat(target)}`);
  const path = headers.get('broadsheet-viewable');
  if (path === null) throw new Unchecked('the server does not measure which ads were viewable');
  return path;
}

/** Reports tokens as a page does: without a key, as text. */
async function report(target: Target, tokens: readonly string[], body = tokens.join('\n')): Promise<TargetResponse> {
  const response = await send(target, await pathOf(target), { key: null, headers: TEXT, method: 'POST', body });
  equal([response.status, response.text], [204, ''], `${response.request}: status and body`);
  return response;
}

const popup = async (target: Target): Promise<string> => (await deliver(target, 'POPUP')).clickToken;

/** Checks how many viewable impressions of an ad, by default the `POPUP` ad, some reports add. */
async function adds(target: Target, count: number, report: () => Promise<unknown>, adId: string = AD.popup) {
  equal(await gained(target, 'viewable', [adId], report), [count], 'viewable impressions');
}

/** Reports of viewable ads. */
export const viewableCases = [
  decided('every delivery names the path for viewable ads, which pages may read', async (target) => {
    await pathOf(target);
    const format = await filledFormat(target);
    const slots = [{ slotId: 's', format }];
    for (const response of [await send(target, `/public/ads/formats/${format}`), await sendBatch(target, { slots })]) {
      equal(
        response.headers.get('broadsheet-viewable'),
        '/measure/viewable',
        `${response.request}: Broadsheet-Viewable`,
      );
      const exposed = words(response.headers.get('access-control-expose-headers'));
      holds(exposed.includes('broadsheet-viewable'), `${response.request}: Broadsheet-Viewable is exposed`);
      const named = [ok(response)].flat().some((ad) => 'viewable' in (ad as object));
      equal(named, false, 'a field of the body');
    }
    equal((await send(target, '/public/posts')).headers.get('broadsheet-viewable'), null, 'the header of a read');
  }),
  decided('the response to a report is 204 without a body, regardless of what the report contains', async (target) => {
    const token = await anyToken(target);
    for (const body of [token, '', '\n\n', 'garbage', '{"clickToken":', '[]', 'null', '\0', 'x'.repeat(100_000)]) {
      await report(target, [], body);
    }
    await report(target, Array<string>(30).fill(token));
    const { headers } = await report(target, [token]);
    equal(headers.get('access-control-allow-origin'), '*', 'Access-Control-Allow-Origin');
    equal(headers.get('access-control-allow-credentials'), null, 'Access-Control-Allow-Credentials');
  }),
  counted('a report is counted with any key and without one', async (target) => {
    for (const key of [null, '', 'not-a-key', target.otherKey ?? '', target.apiKey]) {
      const token = await popup(target);
      await adds(target, 1, async () => {
        const options = { key, headers: TEXT, method: 'POST', body: token };
        const response = await send(target, await pathOf(target), options);
        equal([response.status, response.text], [204, ''], `${response.request}: status and body`);
      });
    }
  }),
  decided('the path for viewable ads has no other method', async (target) => {
    const path = await pathOf(target);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      for (const options of [{}, { key: null }]) {
        const response = await send(target, path, { method, ...options });
        equal(
          [response.status, response.headers.get('allow')],
          [405, 'POST, OPTIONS'],
          `${response.request}: status, Allow`,
        );
      }
    }
  }),
  counted('an ad that was reported as viewable is counted once', async (target) => {
    const [token, other] = [await popup(target), await popup(target)];
    await adds(target, 1, () => report(target, [token]));
    await adds(target, 0, () => report(target, [token, token]));
    await adds(target, 1, () => report(target, [token, other, other]));
    await adds(target, 0, () => Promise.all(Array.from({ length: 20 }, () => report(target, [token, other]))));
  }),
  counted('only one of 50 concurrent reports of a token is counted', async (target) => {
    const token = await popup(target);
    await adds(target, 1, () => Promise.all(Array.from({ length: 50 }, () => report(target, [token]))));
  }),
  counted('a report has at most 20 tokens, one per line or in a JSON array', async (target) => {
    const tokens = await Promise.all(Array.from({ length: 24 }, () => popup(target)));
    await adds(target, 0, () => report(target, tokens));
    await adds(target, 20, () => report(target, tokens.slice(0, 20)));
    await adds(target, 4, () => report(target, [], JSON.stringify(tokens.slice(20))));
  }),
  counted('a token counts for the ad and the blog that it names, without a key', async (target) => {
    const [mine] = ok(await sendBatch(target, { slots: [{ slotId: 's', format: 'BANNER' }] })) as Delivered[];
    const other = ok(await send(target, '/public/ads/formats/BANNER', { key: target.otherKey ?? '' })) as Delivered;
    // Both ads have the same id.
    await adds(target, 0, () => report(target, [other.clickToken]), AD.bannerHigh);
    await adds(target, 1, () => report(target, [other.clickToken, mine?.clickToken ?? '']), AD.bannerHigh);
  }),
  counted('a token that was not issued here is not counted, and the others in its report are', async (target) => {
    const forged = forgeries(await popup(target), await popup(target));
    await adds(target, 0, () => report(target, forged));
    const good = await popup(target);
    await adds(target, 1, () => report(target, [...forged, good]));
  }),
  counted(
    'a token that was reported stays valid for its click, and one that was clicked for its report',
    async (target) => {
      const [first, second] = [await popup(target), await popup(target)];
      await report(target, [first]);
      accepted(await click(target, first));
      accepted(await click(target, second));
      await adds(target, 1, () => report(target, [first, second]));
      equal((await click(target, first)).status, 409, 'status of a second click');
    },
  ),
  timed('a token is not counted after ten minutes', async (target) => {
    const [early, late] = [await popup(target), await popup(target)];
    await target.clock?.advance(9 * MINUTE);
    await adds(target, 1, () => report(target, [early]));
    await target.clock?.advance(MINUTE);
    await adds(target, 0, () => report(target, [late]));
  }),
  // A page cannot set `Sec-Purpose`, as it cannot set `Origin`.
  prefetched('the impression of a prefetch cannot become viewable', async (target) => {
    const headers = { 'User-Agent': 'Mozilla/5.0', 'Sec-Purpose': 'prefetch;prerender' };
    const { clickToken } = await deliver(target, 'POPUP', { headers });
    await adds(target, 0, () => report(target, [clickToken]));
  }),
];
