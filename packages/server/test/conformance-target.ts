import { CONFORMANCE_KEYS, type ScheduledPost, type Target } from '@broadsheet/conformance';
import type { SqlStore } from '@broadsheet/store';
import { onTestFinished } from 'vitest';

/** The capabilities of every server over a store. */
export const COMMON = {
  apiKey: CONFORMANCE_KEYS.main,
  otherKey: CONFORMANCE_KEYS.other,
  origins: true,
  ips: true,
} satisfies Partial<Target>;

/** Sends a request over HTTP, with the IP address of the case in the header that a trusted proxy would write. */
export const sendAs: Target['fetch'] = (request, from) => {
  if (from) request.headers.set('X-Forwarded-For', from.ip);
  return fetch(request);
};

/** The counts of an ad of the blog under test. */
export async function countsOf(store: SqlStore, adId: string) {
  const [total] = await store.figures('conformance-main', { by: [], ad: adId });
  return { impressions: total?.delivered ?? 0, viewable: total?.viewable ?? 0, clicks: total?.clicks ?? 0 };
}

/** A clock that a case advances. */
export function movedClock() {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(ms: number) {
      ahead += ms;
    },
  };
}

/**
 * The capabilities of a server in this process.
 *
 * @param store the store of the server, once it is open
 */
export function capabilitiesOf(store: () => SqlStore, clock: ReturnType<typeof movedClock>) {
  return {
    ...COMMON,
    clock,
    async schedule(post: ScheduledPost, due: number) {
      const now = clock.now();
      const scheduledAt = new Date(now + due).toISOString();
      const posts = [{ ...post, status: 'SCHEDULED' as const, scheduledAt }];
      await store().putBlog({ id: 'conformance-main', name: 'Main', posts }, now);
      onTestFinished(async () => void (await store().deletePost('conformance-main', post.id, now)));
    },
    preview: async (id: string) => (await store().createPreviewToken('conformance-main', id, clock.now())) ?? '',
    adCounts: (adId: string) => countsOf(store(), adId),
  } satisfies Partial<Target>;
}
