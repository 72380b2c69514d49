import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { CONFORMANCE_KEYS, casesFor, conformanceSnapshot, type Target } from '@broadsheet/conformance';
import { describe, expect, test } from 'vitest';
import { createApi, createMemoryStore, createResponseCache, signPreview } from '../src/index.ts';

const hmac = (text: string) => createHmac('sha256', 'a secret').update(text).digest('base64url');

function open(cache: boolean): Target {
  const store = createMemoryStore();
  let now = Date.parse('2026-06-01T10:00:00.250Z');
  for (const blog of conformanceSnapshot.blogs) store.putBlog(blog, now);
  const api = createApi({
    store,
    hmac,
    clock: { now: () => now },
    random: { uuid: randomUUID, below: (bound) => randomInt(bound) },
    docsUrl: 'https://docs.example',
    ...(cache && { cache: createResponseCache(1_000_000) }),
  });
  return {
    baseUrl: 'https://api.example',
    fetch: (request, { ip = '192.0.2.1' } = { ip: '192.0.2.1' }) => api.fetch(request, { ip }),
    apiKey: CONFORMANCE_KEYS.main,
    otherKey: CONFORMANCE_KEYS.other,
    clock: {
      advance(ms) {
        now += ms;
      },
    },
    schedule(post, due) {
      const scheduledAt = new Date(now + due).toISOString();
      store.putBlog(
        { id: 'conformance-main', name: 'Main', posts: [{ ...post, status: 'SCHEDULED', scheduledAt }] },
        now,
      );
    },
    preview: (id) => signPreview(hmac, { sub: id, blog: 'conformance-main' }, now),
    adCounts(adId) {
      const [total] = store.figures('conformance-main', { by: [], ad: adId });
      return { impressions: total?.delivered ?? 0, viewable: total?.viewable ?? 0, clicks: total?.clicks ?? 0 };
    },
    origins: true,
    ips: true,
    docsUrl: 'https://docs.example',
  };
}

describe.each([false, true])('core over the memory store conforms to the API document, with a cache: %s', (cache) => {
  const { cases, left } = casesFor(open(cache));
  test('every case can be run', () => expect(left).toEqual([]));
  for (const { section, name, run } of cases) test(`${section}: ${name}`, () => run(open(cache)));
});
