import { createHmac as nodeHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { unwrap } from '../../../sdk/src/webhooks/index.ts';
import { createMock } from '../index.ts';
import { createHmac } from './signing.ts';

test('the HMAC of a text equals the HMAC of node:crypto', () => {
  const hmac = createHmac('secret');
  for (const text of ['', 'ad-ä😀', 'x'.repeat(1000)]) {
    expect(hmac(text)).toBe(nodeHmac('sha256', 'secret').update(text).digest('base64url'));
  }
});

const BLOG = {
  id: 'b',
  name: 'Blog',
  categories: [{ id: 'c', name: 'Essays' }],
  tags: [{ id: 't', name: 'Tea' }],
  posts: [{ id: 'p', title: 'Hello', slug: 'hello', categoryIds: ['c'], tagIds: ['t'] }],
};

test('an event of a post contains its slug and the tags of the reads that it invalidates', async () => {
  const world = createMock().world({ blog: BLOG, start: '2026-11-21T09:00:00Z' });
  const request = await world.webhook('post.published', { id: 'p', url: 'https://site.example/hook' });
  expect([request.method, request.url]).toEqual(['POST', 'https://site.example/hook']);
  const event = await unwrap(request, world.webhookSecret);
  expect(event).toEqual({
    id: expect.stringMatching(/^msg_/),
    type: 'post.published',
    timestamp: '2026-11-21T09:00:00.000Z',
    data: { id: 'p', slug: 'hello', revision: expect.any(String), tags: event.data.tags },
  });
  expect(event.data.tags).toEqual(
    expect.arrayContaining(['posts', 'post:p', 'post:slug:hello', 'categories', 'category:c', 'tags', 'tag:t']),
  );
});

test('events of labels and ads contain their tags', async () => {
  const world = createMock().world({ blog: BLOG });
  const label = await unwrap(await world.webhook('label.changed', { id: 't' }), world.webhookSecret);
  expect(label.data).toMatchObject({ id: 't', slug: null, tags: expect.arrayContaining(['tags', 'tag:t:posts']) });
  const ads = await unwrap(await world.webhook('ads.changed'), world.webhookSecret);
  expect(ads.data).toMatchObject({ id: null, slug: null, tags: [] });
});

test('a ping, as the server sends it for a test, reports no change', async () => {
  const world = createMock().world({ blog: BLOG });
  const ping = await unwrap(await world.webhook('ping'), world.webhookSecret);
  expect(ping).toMatchObject({ type: 'ping', data: { id: null, slug: null, tags: [] } });
});

test('a library that we did not write verifies the request', async () => {
  const world = createMock().world({ blog: BLOG });
  const secret = `whsec_${btoa('another secret for this test')}`;
  const request = await world.webhook('post.removed', { id: 'p', secret });
  const headers = Object.fromEntries(request.headers);
  const body = await request.text();
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'post.removed', data: { id: 'p' } });
  expect(() => new Webhook(world.webhookSecret).verify(body, headers)).toThrow();
});

test('an item that is not in the world is an error', async () => {
  const world = createMock().world({ blog: BLOG });
  await expect(world.webhook('post.updated', { id: 'none' })).rejects.toThrow('post.updated needs the id of an item');
  await expect(world.webhook('label.changed', { id: 'p' })).rejects.toThrow('label.changed needs the id of an item');
});
