import { createApi, OutcomeUnknown, StoreUnavailable } from '@broadsheet/core';
import { openStore } from '@broadsheet/store/node';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { betweenPostgres } from '../../../tools/testing/postgres-proxy.ts';
import type { Link } from '../../../tools/testing/proxy-postgres.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const AD = '00000000-0000-4000-8000-000000000001';

/** Where the connection breaks: before PostgreSQL gets the commit, after it, or only on the side of the client. */
type Break = 'before' | 'after' | 'partition';

/** A store whose connection breaks during the next commit after `arm`, and a store beside it. */
async function setup({ staysAway = false } = {}) {
  const url = await createPostgres();
  let armed: Break | undefined;
  let isAway = false;
  let committing: Link | undefined;
  const through = await betweenPostgres(url, {
    refuse: () => (isAway ? Buffer.alloc(0) : undefined),
    sends(type, text, link) {
      if (type !== 'Q' || text !== 'commit' || !armed) return true;
      const breaks = armed;
      armed = undefined;
      isAway = staysAway;
      if (breaks === 'after') {
        committing = link;
        return true;
      }
      if (breaks === 'before') link.cut();
      else link.leave();
      return false;
    },
    passes(_, connection, link) {
      if (committing?.number !== connection) return true;
      committing = undefined;
      link.cut();
      return false;
    },
  });
  // With one connection, every question needs a new one.
  const store = await openStore(through, { poolSize: 1 });
  const beside = await openStore(url);
  onTestFinished(async () => void (await Promise.all([store.close(), beside.close()])));
  await beside.putBlog({ id: 'b', name: 'B', apiKeys: ['k'], ads: [{ id: AD, format: 'BANNER' }] }, NOW);
  const count = async () => (await beside.figures('b', { by: [] }))[0]?.delivered ?? 0;
  const arm = (breaks: Break) => {
    armed = breaks;
  };
  return { store, beside, count, arm };
}

const deliver = async (store: Awaited<ReturnType<typeof openStore>>) =>
  store.deliver('b', { slots: [{ candidates: [AD] }] }, NOW);

describe.skipIf(!inject('postgres'))('a commit whose response is lost', () => {
  test('is a success if it was committed', async () => {
    const { store, count, arm } = await setup();
    for (let round = 1; round <= 3; round += 1) {
      arm('after');
      expect(await deliver(store)).toMatchObject({ outcome: 'counted' });
      expect(await count()).toBe(round);
    }
  });

  test.each(['before', 'partition'] as const)('is refused if it was rolled back (%s)', async (breaks) => {
    const { store, count, arm } = await setup();
    arm(breaks);
    await expect(deliver(store)).rejects.toThrow(StoreUnavailable);
    await deliver(store);
    expect(await count()).toBe(1);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('is unknown if the database stays away (%s)', async (breaks, counted) => {
    const { store, count, arm } = await setup({ staysAway: true });
    arm(breaks);
    const both = await Promise.allSettled([deliver(store), deliver(store)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    for (const one of both) expect(one.status === 'rejected' && one.reason).toBeInstanceOf(OutcomeUnknown);
    // Nobody has written them again.
    expect(await count()).toBe(2 * counted);
  });

  test('returns the key of a new blog, and a rotated key', async () => {
    const { store, beside, arm } = await setup();
    arm('after');
    const [imported] = await store.importBlogs([{ id: 'new', name: 'New' }], NOW);
    expect((await beside.findBlog(imported?.newKey ?? ''))?.id).toBe('new');
    arm('after');
    await store.rotateKey('b', 'rotated', NOW);
    expect((await beside.findBlog('rotated'))?.id).toBe('b');
  });

  test('an import is run again only if it was rolled back', async () => {
    const { store, beside, arm } = await setup();
    arm('before');
    const [imported] = await store.importBlogs([{ id: 'new', name: 'New' }], NOW);
    expect((await beside.findBlog(imported?.newKey ?? ''))?.id).toBe('new');
    expect(await beside.listKeys('new')).toHaveLength(1);
  });

  test('the API reports it as 500 that must not be repeated', async () => {
    const { store, arm } = await setup({ staysAway: true });
    const random = { uuid: () => crypto.randomUUID(), below: () => 0 };
    const options = {
      store,
      clock: { now: () => NOW },
      random,
      hmac: async () => 'x',
      docsUrl: 'https://docs.example',
    };
    const api = createApi(options);
    const request = new Request('https://x.example/public/ads/formats/BANNER', { headers: { 'X-API-Key': 'k' } });
    await store.findBlog('k');
    await store.listAds('b');
    arm('after');
    const response = await api.fetch(request);
    expect(response.status).toBe(500);
    expect(response.headers.get('retry-after')).toBeNull();
    expect(await response.json()).toMatchObject({ error: { code: 'INTERNAL_ERROR', retryable: false } });
  });
});
