import { casesFor, conformanceSnapshot, type Target, transportCases } from '@broadsheet/conformance';
import { type BlogApi, createApi, createResponseCache } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { keyedFingerprint, keyedHmac, systemRandom } from '../../http/src/crypto.ts';
import type { RunningServer } from '../../http/src/server-options.ts';
import { createServer } from '../src/create-server.ts';
import { capabilitiesOf, movedClock, sendAs } from './conformance-target.ts';

const DOCS = 'https://docs.example';

describeDatabases('conformance', (database) => {
  let store: SqlStore;
  let api: BlogApi;
  const clock = movedClock();
  const target: Target = {
    ...capabilitiesOf(() => store, clock),
    baseUrl: 'https://api.example',
    docsUrl: DOCS,
    // Without HTTP, which the tests below cover.
    fetch: (request, from = { ip: '192.0.2.1' }) => api.fetch(request, from),
  };

  beforeAll(async () => {
    store = await openStore(database.url);
    await store.importBlogs(conformanceSnapshot.blogs, clock.now());
    const secret = await store.signingSecret();
    api = createApi({
      ...{ store, clock, docsUrl: DOCS, random: systemRandom, cache: createResponseCache(1_000_000) },
      ...{ hmac: keyedHmac(secret), fingerprint: keyedFingerprint(secret) },
    });
  });
  afterAll(() => store.close());

  const { cases, left } = casesFor(target);
  test('every case runs', () => expect(left).toEqual([]));
  for (const { section, name, run } of cases) test(`${section} ${name}`, () => run(target));
});

describe('conformance of createServer over HTTP', { shuffle: false }, () => {
  let store: SqlStore;
  let server: RunningServer;
  const clock = movedClock();
  const folder = temporaryFolder();
  const target: Target = {
    ...capabilitiesOf(() => store, clock),
    fetch: sendAs,
    get baseUrl() {
      return server.url;
    },
    get docsUrl() {
      return server.url;
    },
  };

  beforeAll(async () => {
    store = await openStore(`sqlite:${folder.join('test.db')}`);
    await store.importBlogs(conformanceSnapshot.blogs, clock.now());
    server = await createServer({ store, clock, port: 0, trustProxy: 1 });
  });
  afterAll(async () => {
    await server.close();
    await store.close();
  });

  // Everything that happens after the request has reached the API is covered by the tests above.
  for (const { section, name, run } of transportCases) test(`${section} ${name}`, () => run(target));
});
