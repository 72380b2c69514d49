import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchAlone } from '../../../tools/testing/workerd.ts';
import { type Deployment, deploy } from './deployment.ts';

const AD = { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', format: 'BANNER', title: 'Tea' };
const BLOG = { id: 'news', name: 'News', apiKeys: ['key'], ads: [AD] };
const HOUR = 60 * 60 * 1000;

let deployment: Deployment;
beforeAll(async () => {
  deployment = await deploy({ entry: './alarm.fixture.ts' });
  await deployment.importBlog(BLOG);
});
afterAll(() => deployment.stop());

const send = async (path: string, headers: Readonly<Record<string, string>> = {}, body?: object) => {
  const init = body && { method: 'POST', body: JSON.stringify(body) };
  const own = { 'x-api-key': 'key', 'content-type': 'application/json', ...headers };
  const response = await fetchAlone(new Request(`${deployment.url}${path}`, { ...init, headers: own }));
  return { status: response.status, body: await response.json() };
};
const alarm = async (what: 'alarm' | 'ring' | 'age' | 'remembered') => (await send('/', { 'x-test': what })).body;
const deliver = async () => (await send('/public/ads/formats/BANNER')).body as { clickToken: string };
const click = (clickToken: string, headers: Readonly<Record<string, string>>) =>
  send('/public/ads/tracking/click', headers, { clickToken });
const clicks = async () =>
  ((await deployment.manage('news', 'stats')) as { days: { clicks: number }[] }).days.reduce(
    (sum, day) => sum + day.clicks,
    0,
  );

test('the reader is identified by CF-Connecting-IP, and other headers are ignored', async () => {
  const before = await clicks();
  for (const forwarded of ['198.51.100.1', '198.51.100.2']) {
    const { clickToken } = await deliver();
    const headers = { 'cf-connecting-ip': '192.0.2.1', 'x-forwarded-for': forwarded, 'x-real-ip': forwarded };
    expect((await click(clickToken, headers)).status).toBe(200);
  }
  expect(await clicks()).toBe(before + 1);
  await click((await deliver()).clickToken, { 'cf-connecting-ip': '192.0.2.2', 'x-forwarded-for': '198.51.100.1' });
  expect(await clicks()).toBe(before + 2);
});

test('an alarm removes expired clicks, and is set again while there are others', async () => {
  const before = Date.now();
  await click((await deliver()).clickToken, { 'cf-connecting-ip': '192.0.2.3' });
  expect(await alarm('alarm')).toBeGreaterThan(before);
  expect(await alarm('alarm')).toBeLessThanOrEqual(Date.now() + HOUR);
  await alarm('ring');
  const [tokens, visitors] = (await alarm('remembered')) as number[];
  expect([tokens, visitors].every((count) => Number(count) > 0)).toBe(true);
  await alarm('age');
  await alarm('ring');
  expect(await alarm('remembered')).toEqual([0, 0]);
});

test('the alarm is set for the next scheduled post, and publishes posts that are due', async () => {
  const importPost = (scheduledAt: number) => {
    const post = { id: 'p', title: 'Soon', slug: 'soon', status: 'SCHEDULED' as const };
    const posts = [{ ...post, scheduledAt: new Date(scheduledAt).toISOString() }];
    return deployment.importBlog({ ...BLOG, posts });
  };
  const soon = Date.now() + HOUR / 2;
  await importPost(soon);
  expect(await alarm('alarm')).toBe(soon);
  await importPost(Date.now() - 1000);
  await alarm('ring');
  // Management reads what is stored, without publishing.
  expect(await deployment.manage('news', 'posts.list', { search: 'p' })).toMatchObject({
    posts: [{ id: 'p', status: 'PUBLISHED' }],
  });
});
