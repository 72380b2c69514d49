import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchAlone } from '../../../tools/testing/workerd.ts';
import { type Deployment, deploy } from './deployment.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await deploy({ entry: './added-command.fixture.ts' });
  for (const id of ['news', 'other']) await deployment.manage(id, 'blogs.create');
});
afterAll(() => deployment.stop());

const statusFor = async (key: string): Promise<number> => {
  const headers = { 'X-API-Key': key };
  return (await fetchAlone(new Request(`${deployment.url}/public/posts`, { headers }))).status;
};

it('a key of any command that touches keys opens its blog', async () => {
  expect(await statusFor('reader of news')).toBe(401);
  await deployment.manage('news', 'readers.admit');
  expect(await statusFor('reader of news')).toBe(200);
});

it('a command on the server runs on every blog if its row names the command for one', async () => {
  expect(await deployment.manage('', 'shelf.count')).toEqual(['shelf of news', 'shelf of other']);
});

it('any command that deletes a blog removes it from the deployment', async () => {
  await deployment.manage('other', 'readers.admit');
  await deployment.manage('other', 'shelf.burn');
  expect(await statusFor('reader of other')).toBe(401);
  expect(await deployment.manage('', 'shelf.count')).toEqual(['shelf of news']);
  await deployment.manage('other', 'blogs.create');
  expect(await deployment.manage('', 'shelf.count')).toEqual(['shelf of news', 'shelf of other']);
});
