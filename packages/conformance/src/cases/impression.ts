import { accepted, anyToken, click, deliver } from '../deliver.ts';
import { equal, holds } from '../expect.ts';
import { failure } from '../failure.ts';
import { AD } from '../fixture/ads.ts';
import { send } from '../send.ts';
import { section } from '../target.ts';

const promised = section({ section: '4.5' });
const counted = section({ section: '4.5', effect: 'counts', needs: ['snapshot', 'adCounts'] });
const PATH = '/public/ads/tracking/impression';

/** Section 4.5: the impression endpoint, kept for compatibility. */
export const impressionCases = [
  promised('tracking/impression returns ok for any body and for none', async (target) => {
    accepted(await send(target, PATH, { method: 'POST' }));
    for (const json of [{}, { clickToken: 'not a token' }, { clickToken: 5 }, null, [], 'x']) {
      accepted(await send(target, PATH, { json }));
    }
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded', 'image/png']) {
      accepted(await send(target, PATH, { body: 'not { json', headers: { 'Content-Type': type } }));
    }
    accepted(await send(target, PATH, { body: 'no type' }));
    accepted(await send(target, PATH, { json: { clickToken: 'x'.repeat(100_000) } }));
  }),
  counted('tracking/impression counts nothing', async (target) => {
    const { clickToken } = await deliver(target, 'POPUP');
    const before = await target.adCounts?.(AD.popup);
    holds(before && before.impressions > 0, 'the delivery was counted');
    accepted(await send(target, PATH, { json: { clickToken } }));
    equal(await target.adCounts?.(AD.popup), before, 'the counts of the ad');
  }),
  section({ section: '4.5', effect: 'counts' })('tracking/impression does not use up a token', async (target) => {
    const clickToken = await anyToken(target);
    failure(await send(target, PATH, { json: { clickToken }, key: null }), 'UNAUTHORIZED');
    for (let time = 0; time < 2; time += 1) {
      accepted(await send(target, PATH, { json: { clickToken } }));
    }
    accepted(await click(target, clickToken));
    accepted(await send(target, PATH, { json: { clickToken } }));
  }),
];
