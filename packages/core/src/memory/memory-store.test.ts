import { storeCases } from '@broadsheet/conformance/store';
import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../index.ts';

describe('the memory store fulfils the Store port', () => {
  for (const { name, run } of storeCases) test(name, () => run(async () => ({ store: createMemoryStore() })));
});

test('a restored state has a new revision, so nothing cached in the meantime is mistaken for it', () => {
  const store = createMemoryStore();
  const write = (title: string) =>
    store.putBlog({ id: 'b', name: 'B', apiKeys: ['key'], posts: [{ id: '1', title, slug: 'one' }] }, 0);
  const seen = new Set<string | undefined>();
  const revisions = () => seen.add(store.findBlog('key')?.revision).size;
  write('Before');
  const state = store.snapshot();
  expect(revisions()).toBe(1);
  write('After');
  expect(revisions()).toBe(2);
  store.restore(state);
  expect(store.getPost('b', '1')).toMatchObject({ title: 'Before' });
  expect(revisions()).toBe(3);
  store.revokeKey('key');
  store.restore(state);
  expect(revisions()).toBe(4);
});

test('deliveries, clicks and their tokens do not grow with time', () => {
  const store = createMemoryStore();
  store.putBlog({ id: 'b', name: 'B', ads: [{ id: AD, format: 'BANNER' }] }, 0);
  for (let index = 0; index < 10_000; index += 1) {
    const at = index * 5000;
    const keyed = { keyHash: `key ${index}`, requestHash: '', deliveryId: `${index}` };
    store.deliver('b', { slots: [{ candidates: [AD] }], idempotency: keyed }, at);
    const token = { adId: AD, tokenId: `token ${index}`, tokenExpiresAt: at + 600_000 };
    store.recordClick('b', { ...token, at, visitor: `visitor ${index}`, repeatSince: at - 1_800_000 });
    store.recordViewable('b', [{ ...token, day: '1970-01-01' }]);
  }
  const { usedTokens, viewedTokens, deliveries, countedClicks } = store.stateOf('b')?.events ?? {};
  const sizes = [usedTokens, viewedTokens, deliveries, countedClicks].map((map) => [...(map ?? [])].length);
  for (const size of sizes) expect(size).toBeGreaterThan(700);
  for (const size of sizes) expect(size).toBeLessThan(3000);
});

test('a few expired entries are kept, because a clock may be set back', () => {
  const store = createMemoryStore();
  store.putBlog({ id: 'b', name: 'B', ads: [{ id: AD, format: 'BANNER' }] }, 0);
  const click = (index: number) => {
    const at = index * 3_600_000;
    const visit = { adId: AD, visitor: undefined, repeatSince: at, at };
    return store.recordClick('b', { ...visit, tokenId: `${index}`, tokenExpiresAt: at });
  };
  for (let index = 0; index < 1000; index += 1) expect(click(index)).toBe('counted');
  expect(click(0)).toBe('used');
  expect(click(1000)).toBe('counted');
  expect([click(0), click(1000)]).toEqual(['counted', 'used']);
});

test('events after a snapshot change neither the snapshot nor what is restored from it', () => {
  const store = createMemoryStore();
  store.putBlog({ id: 'b', name: 'B', ads: [{ id: AD, format: 'BANNER' }] }, 0);
  const deliver = (key: string) => {
    const idempotency = { keyHash: key, requestHash: '', deliveryId: key };
    return store.deliver('b', { slots: [{ candidates: [AD] }], idempotency }, 0).outcome;
  };
  const delivered = () => store.figures('b', { by: [] }).map((figure) => figure.delivered);
  deliver('first');
  const state = store.snapshot();
  for (let turn = 0; turn < 2; turn += 1) {
    expect([deliver('first'), deliver('second'), deliver('second')]).toEqual(['replayed', 'counted', 'replayed']);
    expect(delivered()).toEqual([2]);
    store.restore(state);
    expect(delivered()).toEqual([1]);
  }
});

const AD = '00000000-0000-4000-8000-000000000001';
