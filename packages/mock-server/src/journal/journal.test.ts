import { beforeEach, expect, test, vi } from 'vitest';
import { visit } from '../../test/support/visit.ts';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';
import { Journal } from './journal.ts';
import { addTokens } from './tokens.ts';

const mock = createMock();
let world: World;
beforeEach(() => {
  world = mock.world();
});

test('calls are typed and parsed as the API parses them', async () => {
  await visit(world).send('/public/search?q=%20night%20%20train%20&limit=5');
  await visit(world).post('/public/ads/formats', { slots: [{ slotId: 'a', format: 'BANNER' }] });
  expect(world.calls.search[0]?.query).toEqual({ q: 'night train', limit: 5, offset: 0 });
  expect(world.calls['ads.deliverBatch'][0]?.body.slots[0]?.slotId).toBe('a');
  expect(world.journal.map(({ endpoint, status }) => [endpoint, status])).toEqual([
    ['search', 200],
    ['ads.deliverBatch', 200],
  ]);
});

test('calls have the headers of their requests, by lowercase name', async () => {
  await visit(world).send('/public/posts', { headers: { 'X-Trace': 'one' } });
  expect(world.calls['posts.list'][0]?.headers).toMatchObject({ 'x-api-key': expect.any(String), 'x-trace': 'one' });
});

test("requests off the contract are reported with the API's messages", async () => {
  await visit(world).send('/public/posts?limit=500&per_page=3');
  await visit(world).send('/public/ads/tracking/click', { method: 'POST', body: new TextEncoder().encode('{}') });
  await visit(world).send('/public/nothing');
  expect(() => world.assertOnContract()).toThrow(
    /off the contract \(3\):.*per_page: posts.list has no such query parameter; it has status, limit, offset.*limit: must be at most 100.*the API has no endpoint GET \/public\/nothing/s,
  );
  expect(world.offContract.map(({ problems }) => problems.length)).toEqual([2, 1, 1]);
  world.forgive();
  expect(() => world.assertOnContract()).not.toThrow();
});

test('a 404, or a failure that the test set, is not off the contract', async () => {
  await visit(world).send('/public/posts/none');
  world.fail('posts.get', 400);
  await visit(world).send('/public/posts/none');
  expect(world.offContract).toEqual([]);
});

test('the journal warns when it forgets calls', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  try {
    const journal = new Journal('busy', world.clock);
    for (let n = 0; n <= 10_000; n += 1) journal.write({ at: n } as never);
    expect(warn.mock.calls).toEqual([['world busy forgot old calls']]);
    expect([journal.all.length, journal.all.at(-1)?.at]).toEqual([5000, 10_000]);
  } finally {
    warn.mockRestore();
  }
});

test('the oldest tokens are forgotten', () => {
  const tokens: string[] = [];
  for (let n = 0; n <= 20_000; n += 1)
    addTokens(tokens, { status: 200, headers: {}, body: `{"clickToken":"token-${n}"}` });
  expect([tokens.length, tokens.at(-1)]).toEqual([10_000, 'token-20000']);
});

test('the counts of an unknown ad are an error, not zeros', () => {
  expect(() => world.ad('nobody')).toThrow(/has no ad nobody; it has/);
});

test('the journal holds the response bodies of the last 1,000 calls, as JSON or text', async () => {
  const { main } = createMock();
  main.fail('search', 500);
  main.fail('tags.get', 'html');
  main.fail('categories.list', 'truncate');
  for (const path of ['/public/tags', '/public/search?q=the', '/public/tags/x', '/public/categories']) {
    await visit(main).send(path);
  }
  await visit(main).deliver();
  expect(main.journal.map(({ response }) => response)).toEqual([
    { success: true, data: expect.arrayContaining([expect.objectContaining({ id: 'tag-1' })]) },
    { success: false, error: expect.objectContaining({ code: 'INTERNAL_ERROR' }) },
    expect.stringContaining('<!doctype html>'),
    expect.stringMatching(/^\{"success":true,"data":\[/),
    expect.objectContaining({ filled: true }),
  ]);
  expect(JSON.parse(JSON.stringify(main.calls['tags.list']))[0].response.success).toBe(true);
  for (let call = 0; call < 1000; call += 1) await visit(main).send('/public/tags/tag-1');
  expect(main.journal[4]?.response).toBeUndefined();
  expect(main.journal[5]?.response).toBeDefined();
});
