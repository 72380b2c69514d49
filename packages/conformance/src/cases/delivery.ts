import { AD_FORMATS } from '@broadsheet/contract';
import { deliver, gained } from '../deliver.ts';
import { equal, holds, present } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { AD, FULL } from '../fixture/ads.ts';
import { send } from '../send.ts';
import { section } from '../target.ts';

const promised = section({ section: '4.5', effect: 'counts' });
const seeded = section({ section: '4.5', effect: 'counts', needs: ['snapshot'] });
const counted = section({ section: '4.5', effect: 'counts', needs: ['snapshot', 'adCounts'] });

/** Section 4.5: one ad by format. */
export const deliveryCases = [
  promised('every format responds with a bare delivery result', async (target) => {
    for (const format of AD_FORMATS) await deliver(target, format);
  }),
  section({ section: '4.5' })('a format outside the enum is 400', async (target) => {
    for (const format of ['banner', 'NOPE', 'BANNER%20', 'constructor', '%F0%9F%98%80', 'BANNER%2F', '0', 'formats']) {
      refuses(await send(target, `/public/ads/formats/${format}`), 'format');
    }
  }),
  seeded(
    'paused ads and ads outside their window are never delivered: the result is { filled: false }',
    async (target) => {
      equal(await deliver(target, 'INLINE'), { filled: false }, 'INLINE');
    },
  ),
  seeded('the ad with the highest priority is delivered with all its fields', async (target) => {
    for (let time = 0; time < 5; time += 1) {
      const { clickToken, ...ad } = await deliver(target, 'BANNER');
      equal(ad, { filled: true, id: AD.bannerHigh, ...FULL }, 'BANNER');
      present(clickToken, 'clickToken');
    }
    equal((await deliver(target, 'NATIVE')).id, AD.natives[0], 'NATIVE');
  }),
  seeded('texts that an ad does not have are null or absent', async (target) => {
    const { id, clickToken: _, filled: __, ...texts } = await deliver(target, 'POPUP');
    equal(id, AD.popup, 'POPUP');
    const found = Object.values(texts).filter((value) => value !== null);
    equal(found, [], 'texts');
  }),
  seeded('ties are broken randomly', async (target) => {
    const seen = new Set<string>();
    for (let time = 0; time < 80 && seen.size < 2; time += 1) seen.add((await deliver(target, 'SIDEBAR')).id);
    equal([...seen].sort(), AD.sidebars, 'both ads of the same priority are seen within 80 deliveries');
  }),
  seeded('each blog gets its own ads', async (target) => {
    const key = target.otherKey ?? '';
    equal((await deliver(target, 'BANNER', { key })).title, 'Of the other blog', 'the other blog');
    equal((await deliver(target, 'BANNER')).title, FULL.title, 'this blog');
    equal(await deliver(target, 'POPUP', { key }), { filled: false }, 'a format the other blog has no ad for');
  }),
  counted('each delivery records one impression, and a refused request records none', async (target) => {
    const impressions = await gained(target, 'impressions', [AD.popup], async () => {
      await deliver(target, 'POPUP');
      await deliver(target, 'POPUP');
      failure(await send(target, '/public/ads/formats/POPUP', { key: null }), 'UNAUTHORIZED');
      holds((await send(target, '/public/ads/formats/POPUP', { method: 'HEAD' })).status === 405, 'HEAD is 405');
    });
    equal(impressions, [2], 'impressions');
  }),
];
