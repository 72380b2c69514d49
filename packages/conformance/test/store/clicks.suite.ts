import type { Click, Store } from '@broadsheet/core';
import { equal, holds } from '../../src/expect.ts';
import { ad, adId, NOW, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const MINUTE = 60_000;
const WINDOW = 30 * MINUTE;

/** A click of visitor `v` on the first ad, with the rules of the API for its window and expiry. */
function click(tokenId: string, more: Partial<Click> = {}): Click {
  const at = more.at ?? NOW;
  const times = { at, tokenExpiresAt: at + 10 * MINUTE, repeatSince: at - WINDOW };
  return { tokenId, adId: adId(1), visitor: 'v', ...times, ...more };
}

async function clicks(store: Pick<Store, 'figures'>, blogId = 'b'): Promise<number> {
  return (await store.figures(blogId, { by: [] })).reduce((sum, row) => sum + row.clicks, 0);
}

const withAds = { ads: [ad(1), ad(2)] };

/** Clicks: counted once per token, and once per visitor within the window. */
export const clickCases: readonly StoreCase[] = [
  storeCase('a repeated click also uses up its token', async (store) => {
    await put(store, withAds);
    await store.recordClick('b', click('t1'));
    equal(await store.recordClick('b', click('t2')), 'repeated', 'second token');
    equal(await store.recordClick('b', click('t2')), 'used', 'second token again');
    equal(await clicks(store), 1, 'clicks');
  }),
  storeCase('clicks by another visitor, on another ad or by unknown visitors are not repeats', async (store) => {
    await put(store, withAds);
    equal(await store.recordClick('b', click('t1')), 'counted', 'the first click');
    equal(await store.recordClick('b', click('t2', { visitor: 'w' })), 'counted', 'another visitor');
    equal(await store.recordClick('b', click('t3', { adId: adId(2) })), 'counted', 'another ad');
    equal(await store.recordClick('b', click('t4', { visitor: undefined })), 'counted', 'an unknown visitor');
    equal(await store.recordClick('b', click('t5', { visitor: undefined })), 'counted', 'an unknown visitor, again');
    equal(await clicks(store), 5, 'clicks');
  }),
  storeCase('the window runs from the last counted click, inclusive', async (store) => {
    await put(store, withAds);
    const after = (ms: number) => click(`t${ms}`, { at: NOW + ms });
    equal(await store.recordClick('b', after(0)), 'counted', 'at 0');
    equal(await store.recordClick('b', after(20 * MINUTE)), 'repeated', 'at 20 minutes');
    equal(await store.recordClick('b', after(WINDOW)), 'repeated', 'at 30 minutes');
    equal(await store.recordClick('b', after(WINDOW + 1)), 'counted', 'at 30 minutes and a millisecond');
    equal(await store.recordClick('b', after(WINDOW + 2)), 'repeated', 'a millisecond later');
    equal(await store.recordClick('b', after(2 * WINDOW + 1)), 'repeated', '30 minutes after the second count');
    equal(await store.recordClick('b', after(2 * WINDOW + 2)), 'counted', 'past the second window');
    equal(await clicks(store), 3, 'clicks');
  }),
  storeCase('a used token is remembered until it expires', async (store) => {
    await put(store, withAds);
    const tokenExpiresAt = NOW + 10 * MINUTE;
    await store.recordClick('b', click('t', { tokenExpiresAt }));
    for (let minute = 1; minute < 10; minute += 1) {
      await store.recordClick('b', click(`other-${minute}`, { at: NOW + minute * MINUTE, visitor: `v${minute}` }));
    }
    const late = { at: tokenExpiresAt - 1, tokenExpiresAt };
    equal(await store.recordClick('b', click('t', late)), 'used', 'the token at its last millisecond');
  }),
  storeCase('a used token stays used when the clock jumps forward and back', async (store) => {
    await put(store, withAds);
    const tokenExpiresAt = NOW + 10 * MINUTE;
    await store.recordClick('b', click('t', { tokenExpiresAt }));
    for (const hours of [2, 72, 10_000]) {
      const at = NOW + hours * 60 * MINUTE;
      await store.recordClick('b', click(`ahead-${hours}`, { at }));
      // Stores usually delete expired tokens while they serve other calls.
      for (let turn = 0; turn < 5; turn += 1) await store.figures('b', { by: ['day'] });
      const back = { at: NOW + MINUTE, tokenExpiresAt };
      equal(await store.recordClick('b', click('t', back)), 'used', `after ${hours} hours ahead and back`);
    }
  }),
  storeCase('writing the blog again resets neither its tokens nor its visitors', async (store) => {
    await put(store, withAds);
    equal(await store.recordClick('b', click('t1')), 'counted', 'the first click');
    await put(store, withAds);
    equal(await store.recordClick('b', click('t1')), 'used', 'its token again');
    equal(await store.recordClick('b', click('t2')), 'repeated', 'its visitor again');
    equal(await clicks(store), 1, 'clicks');
  }),
  storeCase('of 50 concurrent clicks by one visitor, one is counted and the others are repeats', async (store) => {
    await put(store, withAds);
    const tokens = Array.from({ length: 50 }, (_, index) => click(`t${index}`));
    const outcomes = await Promise.all(tokens.map((token) => store.recordClick('b', token)));
    equal(outcomes.filter((outcome) => outcome === 'counted').length, 1, 'counted');
    equal(outcomes.filter((outcome) => outcome === 'repeated').length, 49, 'repeated');
    equal(await clicks(store), 1, 'clicks');
  }),
  storeCase('tokens and visitors of two blogs are independent', async (store) => {
    await put(store, { ...withAds, id: 'one' });
    await put(store, { ...withAds, id: 'two' });
    equal(await store.recordClick('one', click('t')), 'counted', 'blog one');
    equal(await store.recordClick('two', click('t')), 'counted', 'blog two');
    holds((await clicks(store, 'one')) === 1 && (await clicks(store, 'two')) === 1, 'each blog has its click');
  }),
];
