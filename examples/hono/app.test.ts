import { expect, test } from 'vitest';
import { createMock } from '../../packages/mock-server/src/index.ts';
import { difficultPostsOf, putDifficultPosts } from '../../tools/testing/difficult-posts.ts';
import { visitDifficult, visitMalformed } from '../../tools/testing/visit-site.ts';

test('the site shows every post whatever characters its slug has', async () => {
  const mock = createMock();
  putDifficultPosts(mock.main);
  await using api = await mock.listen();
  Object.assign(process.env, { BROADSHEET_BASE_URL: api.url, BROADSHEET_API_KEY: mock.main.apiKey });
  const { default: app } = await import('./app.ts');
  const ask = async (path: string) => app.request(path);
  await visitDifficult(ask, mock.main);
  await visitMalformed(ask);
  expect(difficultPostsOf(mock.main).length).toBeGreaterThan(5);
});
