import { createHash } from 'node:crypto';
import { openStore } from '@broadsheet/store/node';
import { expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { serveInProcess } from './in-process.ts';

/** The delay that docs/decided.md promises for revoked keys, in milliseconds. */
const PROMISE = 1000;

describeDatabases('a key that is revoked over another connection', (database) => {
  it('every server refuses a revoked key within a second, permanently', async () => {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    await store.importBlogs([{ ...TEST_BLOG, apiKeys: ['lasting-key', 'revoked-key'] }], Date.now());
    const servers = [await serveInProcess(database.url), await serveInProcess(database.url)];
    for (const { stop } of servers) onTestFinished(stop);
    const send = async (url: string, apiKey: string) => {
      const sent = performance.now();
      const response = await fetch(`${url}/public/posts`, { headers: { 'X-API-Key': apiKey } });
      await response.arrayBuffer();
      return { sent, status: response.status };
    };
    let revoked = Number.POSITIVE_INFINITY;
    const accepted = new Set<string>();
    // Sends requests continuously, so that each server has cached the key. The time of sending is compared, so that a
    // slow machine does not make a response look late.
    const watch = async (url: string) => {
      const wrong: string[] = [];
      for (let refused = 0, last = 0; refused < 20 || last < revoked + PROMISE; ) {
        const { sent, status } = await send(url, 'revoked-key');
        last = sent;
        if (status === 401) refused += 1;
        else if (status === 200 && refused === 0 && sent <= revoked + PROMISE) accepted.add(url);
        else if (wrong.push(`${status}, sent ${sent - revoked} ms after the revocation`) === 3) break;
      }
      return wrong;
    };
    const watches = Promise.all(servers.map(({ url }) => watch(url)));
    await expect.poll(() => accepted.size).toBe(servers.length);
    const id = createHash('sha256').update('revoked-key').digest('hex').slice(0, 12);
    expect(await store.revokeKeys('news', id, Date.now())).toBe(1);
    revoked = performance.now();
    expect(await watches).toEqual([[], []]);
    for (const { url } of servers) expect((await send(url, 'lasting-key')).status).toBe(200);
  });
});
