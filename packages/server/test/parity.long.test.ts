import { CONFORMANCE_KEYS, conformanceSnapshot } from '@broadsheet/conformance';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { createServer } from '../../http/src/create-server.ts';
import type { RunningServer } from '../../http/src/server-options.ts';
// Imported by path, because the mock is not a dependency of this package.
import { parity } from '../../mock-server/src/cli/parity.ts';

// The cases themselves run on both databases in conformance.test.ts.
describe('parity of the mock and the server', () => {
  const folder = temporaryFolder();
  let store: SqlStore;
  let server: RunningServer;
  beforeAll(async () => {
    store = await openStore(`sqlite:${folder.join('test.db')}`);
    await store.importBlogs(conformanceSnapshot.blogs, Date.now());
    server = await createServer({ store, port: 0 });
  });
  afterAll(async () => {
    await server.close();
    await store.close();
  });
  const adCounts = async () => {
    const [main] = conformanceSnapshot.blogs;
    const [total] = await store.figures(main?.id ?? '', { by: [] });
    return (total?.delivered ?? 0) + (total?.clicks ?? 0);
  };
  const compare = async (clicks: boolean) => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const { differences } = await parity({ url: server.url, apiKey: CONFORMANCE_KEYS.main, clicks, write });
    return { differences, table: lines.join('\n'), last: lines.at(-1) };
  };

  test('parity without clicks finds no difference and counts nothing', async () => {
    const { differences, table, last } = await compare(false);
    expect(differences, table).toBe(0);
    expect(last).toMatch(/^\d\d+ promises, 0 differences$/);
    expect(await adCounts()).toBe(0);
  });

  test('parity with clicks finds no difference', async () => {
    const { differences, table, last } = await compare(true);
    expect(differences, table).toBe(0);
    console.info(`parity of mock and server: ${last}`);
    expect(await adCounts()).toBeGreaterThan(0);
  });
});
