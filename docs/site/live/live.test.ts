import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMock } from '../../../packages/mock-server/src/index.ts';
import { createClient } from '../../../packages/sdk/src/index.ts';

test('each example of the home page has a result', async () => {
  const mock = createMock();
  const blog = createClient({ ...mock.main.connection, fetch: mock.fetch });
  const results = new Map<string, unknown>();
  for (const name of globSync('*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts'] })) {
    const { run } = await import(join(import.meta.dirname, name));
    results.set(name, await run(blog));
  }
  expect(Object.fromEntries(results)).toMatchObject({
    'list.ts': { titles: [expect.any(String), expect.any(String)], hasNext: true },
    'search.ts': [{ title: expect.stringContaining('market') }, { title: expect.stringContaining('market') }],
    'ad.ts': { title: expect.any(String), linkUrl: expect.stringContaining('https://') },
    'failure.ts': { code: 'NOT_FOUND', status: 404 },
  });
});
