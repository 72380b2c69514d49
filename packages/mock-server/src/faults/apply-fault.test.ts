import { ERRORS } from '@broadsheet/contract';
import { FAILURES } from '@broadsheet/contract/failures';
import { ErrorEnvelope, validate } from '@broadsheet/contract/schemas';
import { beforeEach, expect, test, vi } from 'vitest';
import { visit } from '../../test/support/visit.ts';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';
import type { TransportFault } from './fault.ts';

const mock = createMock();
let world: World;
beforeEach(() => {
  world = mock.world();
});

test('every failure of an endpoint has a body that the contract allows', async () => {
  for (const code of FAILURES['ads.click']) {
    const { status } = ERRORS[code];
    const fault = world.fail('ads.click', status, { code } as object);
    const response = await visit(world).post('/public/ads/tracking/click', { clickToken: 'x' });
    const body: unknown = await response.json();
    expect([response.status, validate(ErrorEnvelope, body).ok]).toEqual([status, true]);
    expect(body).toMatchObject({ error: { code, statusCode: status, retryable: ERRORS[code].retryable } });
    expect(response.headers.has('retry-after')).toBe(status === 429 || status === 503);
    expect(fault.hits).toBe(1);
    fault.lift();
  }
});

test('a status off the contract is refused with a list of the valid ones', () => {
  expect(() => world.fail('tags.list', 404 as 401)).toThrow(/tags.list never responds with 404; .* 401, 429, 500, 503/);
  expect(() => world.fail('tags.list', 500, { times: 0 })).toThrow(
    /times must be an integer of at least 1; received 0/,
  );
});

test('the latest fault applies first, up to `times` calls, and a failed call has no effect', async () => {
  world.fail('*', 503);
  world.fail('ads.deliver', 500, { times: 2 });
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await visit(world).send('/public/ads/formats/POPUP')).status);
  expect(statuses).toEqual([500, 500, 503]);
  expect(visit(world).impressions()).toBe(0);
  expect(world.calls['ads.deliver'].map(({ fault }) => fault)).toEqual([
    'INTERNAL_ERROR',
    'INTERNAL_ERROR',
    'UNAVAILABLE',
  ]);
});

test('with `after` the click counts and its response is lost', async () => {
  const { id, clickToken } = await visit(world).deliver();
  world.fail('ads.click', 500, { after: true, times: 1 });
  expect((await visit(world).post('/public/ads/tracking/click', { clickToken })).status).toBe(500);
  expect(world.ad(id).clicks).toBe(1);
  expect((await visit(world).post('/public/ads/tracking/click', { clickToken })).status).toBe(409);
});

const statuses = async (paths: readonly string[]) => {
  const all: number[] = [];
  for (const path of paths)
    all.push(
      (
        await visit(world)
          .send(path)
          .catch(() => ({ status: 0 }))
      ).status,
    );
  return all;
};
const times = (count: number, path = '/public/tags') => Array.from({ length: count }, () => path);

test('a fault selects its calls by query, by id or slug, and by number', async () => {
  const typed = world.fail('search', 500, { when: ({ query }) => query.q === 'night' });
  const [first, second] = world.blog.posts ?? [];
  world.fail('posts.get', 404, { id: first?.id ?? '' });
  world.fail('posts.getBySlug', 500, { id: second?.slug ?? '' });
  world.fail('tags.list', 503, { nth: [2, 4] });
  expect(await statuses(['/public/search?q=day', '/public/search?q=night'])).toEqual([200, 500]);
  expect(typed.hits).toBe(1);
  expect(await statuses([`/public/posts/${first?.id}`, `/public/posts/${second?.id}`])).toEqual([404, 200]);
  const slugs = [`/public/posts/slug/${first?.slug}`, `/public/posts/slug/${second?.slug}`];
  expect(await statuses(slugs)).toEqual([200, 500]);
  expect(await statuses(times(5))).toEqual([200, 503, 200, 503, 200]);
});

test('an error thrown by `when` reaches the caller instead of a 500', async () => {
  world.fail('tags.list', 500, {
    when: () => {
      throw new TypeError('a slip in the test');
    },
  });
  await expect(visit(world).send('/public/tags')).rejects.toThrow('a slip in the test');
});

test('a list of failures gives one outcome per call, then the usual responses', async () => {
  const outage = world.fail('tags.list', [503, 'reset', 200, 500]);
  expect(await statuses(times(6))).toEqual([503, 0, 200, 500, 200, 200]);
  expect(outage.hits).toBe(4);
  expect(world.calls['tags.list'].map(({ fault }) => fault)).toEqual([
    'UNAVAILABLE',
    'reset',
    undefined,
    'INTERNAL_ERROR',
    undefined,
    undefined,
  ]);
});

test('random failures follow the seed of the world and occur with about the probability `p`', async () => {
  const failures = async (seed: string) => {
    world = mock.world({ seed });
    world.fail('tags.list', 503, { p: 0.2 });
    return (await statuses(times(200))).map((status) => (status === 503 ? 1 : 0));
  };
  const [one, again, other] = [await failures('a'), await failures('a'), await failures('b')];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  const count = one.filter(Boolean).length;
  expect([count > 15, count < 75]).toEqual([true, true]);
});

test('a delay of a network runs in the time of the world until it is lifted', async () => {
  const network = world.delay('*', 'slow-3g');
  const response = visit(world).send('/public/tags');
  await expect.poll(() => world.clock.waiting).toBe(1);
  world.clock.advance(1599);
  expect(world.clock.waiting).toBe(1);
  world.clock.advance(801);
  expect((await response).status).toBe(200);
  expect(network.hits).toBe(1);
  network.lift();
  expect(await statuses(times(1))).toEqual([200]);
});

test('a delay is selected at random from a range', async () => {
  world.delay('tags.list', ['1s', '3s']);
  const waits: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const before = world.clock.now();
    const response = visit(world).send('/public/tags');
    await expect.poll(() => world.clock.waiting).toBe(1);
    while (world.clock.waiting > 0) world.clock.advance(100);
    await response;
    waits.push(world.clock.now() - before);
  }
  expect(waits.every((wait) => wait >= 1000 && wait <= 3100)).toBe(true);
  expect(new Set(waits).size).toBeGreaterThan(1);
});

test('one advance of the clock ends a drip', async () => {
  world.fail('tags.list', 'drip');
  const response = await visit(world).send('/public/tags');
  const text = response.text();
  await expect.poll(() => world.clock.waiting).toBe(1);
  world.clock.advance('1m');
  expect(JSON.parse(await text)).toMatchObject({ success: true });
});

test('unfinished work is listed, and dropping a world warns about it and aborts its requests', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  try {
    const gate = world.hold('tags.list');
    world.delay('categories.list', '1h');
    world.fail('search', 500);
    world.fail('posts.list', [503, 200]);
    const responses = [visit(world).send('/public/tags'), visit(world).send('/public/categories')];
    await gate.arrived();
    await expect.poll(() => world.clock.waiting).toBe(1);
    expect(world.unfinished()).toEqual([
      'responses waiting for world.clock.advance(): 1',
      "responses held by hold('tags.list'): 1",
      "fail('search', 500) matched no request",
      "fail('posts.list', [503,200]) matched no request",
    ]);
    mock.drop(world);
    for (const response of responses) await expect(response).rejects.toMatchObject({ name: 'AbortError' });
    expect(warn.mock.calls.join()).toMatch(/mock.drop: world-\d+: responses .*: 1, responses held by hold.*: 1/);
  } finally {
    warn.mockRestore();
  }
});

test('`nth` also counts the calls that another fault handles', async () => {
  world.fail('tags.list', 500, { nth: 3 });
  world.fail('tags.list', 503, { times: 2 });
  const statuses = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await visit(world).send('/public/tags')).status);
  expect(statuses).toEqual([503, 503, 500, 200]);
});

test('the latest delay that matches a call applies, and 0 ends those before it', async () => {
  world.delay('tags.list', '1s');
  world.delay('*', '5s');
  const response = visit(world).send('/public/tags');
  await expect.poll(() => world.clock.waiting).toBe(1);
  world.clock.advance('4s');
  expect(world.clock.waiting).toBe(1);
  world.clock.advance('1s');
  expect((await response).status).toBe(200);
  world.delay('*', 0);
  expect(await statuses(times(1))).toEqual([200]);
});

test('reset, cut, truncate, html, wrong-type and empty each break one response', async () => {
  const broken = (fault: TransportFault) => {
    world.fail('tags.list', fault, { times: 1 });
    return visit(world).send('/public/tags');
  };
  await expect(broken('reset')).rejects.toThrow(TypeError);
  await expect((await broken('cut')).text()).rejects.toThrow(/cut/);
  await expect((await broken('truncate')).json()).rejects.toThrow(SyntaxError);
  const html = await broken('html');
  expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html']);
  const plain = await broken('wrong-type');
  expect(plain.headers.get('content-type')).toBe('text/plain');
  expect(await plain.json()).toMatchObject({ success: true });
  expect(await (await broken('empty')).text()).toBe('');
  expect((await visit(world).send('/public/tags')).status).toBe(200);
});

test('a call that breaks in transit has no effect unless `after` is set', async () => {
  const lost = async (after: boolean) => {
    world.fail('ads.deliver', 'truncate', { after, times: 1 });
    await visit(world).send('/public/ads/formats/POPUP');
    return visit(world).impressions();
  };
  expect(await lost(false)).toBe(0);
  expect(await lost(true)).toBe(1);
});

test('stall sends headers, then nothing until the caller gives up', async () => {
  world.fail('tags.list', 'stall');
  const controller = new AbortController();
  const response = await visit(world).send('/public/tags', { signal: controller.signal });
  expect(response.status).toBe(200);
  const text = response.text();
  controller.abort(new Error('enough'));
  await expect(text).rejects.toThrow();
});

test('drip sends chunks as the clock advances', async () => {
  world.fail('tags.list', 'drip');
  const text = (await visit(world).send('/public/tags')).text();
  let done = false;
  void text.then(() => {
    done = true;
  });
  expect(world.clock.waiting).toBe(1);
  for (let n = 0; n < 20 && !done; n += 1) {
    world.clock.advance('1s');
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(JSON.parse(await text)).toMatchObject({ success: true });
});
