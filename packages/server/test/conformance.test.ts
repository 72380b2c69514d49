import {
  CONFORMANCE_KEYS,
  casesFor,
  conformanceSnapshot,
  type ScheduledPost,
  type Target,
  transportCases,
} from '@broadsheet/conformance';
import type { ServerStore } from '@broadsheet/management';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { createServer } from '../../http/src/create-server.ts';
import type { RunningServer } from '../../http/src/server-options.ts';
import { openStore } from '../../management/src/open-store.ts';
import { type ServerProcess, serve } from './broadsheet.ts';

const keys = { apiKey: CONFORMANCE_KEYS.main, otherKey: CONFORMANCE_KEYS.other };

/** Passes the IP address of a case in the header that a trusted proxy would write. */
const send: Target['fetch'] = (request, from) => {
  if (from) request.headers.set('X-Forwarded-For', from.ip);
  return fetch(request);
};

/** The counts of an ad of the blog under test. */
async function countsOf(store: ServerStore, adId: string) {
  const [total] = await store.figures('conformance-main', { by: [], ad: adId });
  return { impressions: total?.delivered ?? 0, viewable: total?.viewable ?? 0, clicks: total?.clicks ?? 0 };
}

describeDatabases('conformance of createServer', (database) => {
  let store: ServerStore;
  let server: RunningServer;
  let ahead = 0;
  const target = {
    ...keys,
    get baseUrl() {
      return server.url;
    },
    get docsUrl() {
      return server.url;
    },
    fetch: send,
    origins: true,
    ips: true,
    clock: {
      advance(ms: number) {
        ahead += ms;
      },
    },
    async schedule(post: ScheduledPost, due: number) {
      const now = Date.now() + ahead;
      const scheduledAt = new Date(now + due).toISOString();
      await store.putBlog(
        { id: 'conformance-main', name: 'Main', posts: [{ ...post, status: 'SCHEDULED', scheduledAt }] },
        now,
      );
      onTestFinished(async () => void (await store.deletePost('conformance-main', post.id, now)));
    },
    preview: async (id: string) => (await store.createPreviewToken('conformance-main', id, Date.now() + ahead)) ?? '',
    adCounts: (adId: string) => countsOf(store, adId),
  };

  beforeAll(async () => {
    const clock = { now: () => Date.now() + ahead };
    store = await openStore(database.url);
    await store.importBlogs(conformanceSnapshot.blogs, clock.now());
    server = await createServer({ store, clock, port: 0, trustProxy: 1 });
  });
  afterAll(async () => {
    await server.close();
    await store.close();
  });

  const { cases, left } = casesFor({
    ...keys,
    fetch: send,
    baseUrl: '',
    origins: true,
    ips: true,
    clock: target.clock,
    schedule: target.schedule,
    preview: target.preview,
    adCounts: target.adCounts,
  });
  test('every case runs', () => expect(left).toEqual([]));
  for (const { section, name, run } of cases) test(`${section} ${name}`, () => run(target));
});

describe('conformance of the command', { shuffle: false }, () => {
  let server: ServerProcess;
  let store: ServerStore;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const cwd = await folder.write({ 'snapshot.json': JSON.stringify(conformanceSnapshot) });
    server = await serve(['--import', 'snapshot.json'], { cwd, env: { TRUST_PROXY: '1' } });
    store = await openStore(`sqlite:${folder.join('broadsheet.db')}`);
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  const adCounts = (adId: string) => countsOf(store, adId);
  const base = { ...keys, fetch: send, origins: true, ips: true, adCounts };
  const { cases } = casesFor({ ...base, baseUrl: '' });
  // The command starts the same server.
  for (const { section, name, run } of cases.filter((one) => transportCases.includes(one))) {
    test(`${section} ${name}`, () => run({ ...base, baseUrl: server.url, docsUrl: server.url }));
  }
});
