import { ENDPOINTS, ERRORS } from '@broadsheet/contract';
import { ErrorEnvelope, validate } from '@broadsheet/contract/schemas';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMock } from './mock.ts';
import type { World } from './world.ts';

const mock = createMock();
let world: World;
beforeEach(() => {
  world = mock.world();
});

const send = (path: string, init: RequestInit = {}) =>
  world.fetch(`${mock.baseUrl}${path}`, { ...init, headers: { 'X-API-Key': world.apiKey, ...init.headers } });
const post = (path: string, body: unknown) =>
  send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
const deliver = async () =>
  (await (await send('/public/ads/formats/POPUP')).json()) as { id: string; clickToken: string };
const popups = () => (world.blog.ads ?? []).filter(({ format }) => format === 'POPUP');
const impressions = () => popups().reduce((sum, { id }) => sum + world.ad(id).impressions, 0);

describe('faults of the contract', () => {
  test('every status of every endpoint has a legal body', async () => {
    for (const code of ENDPOINTS['ads.click'].failures) {
      const { status } = ERRORS[code];
      const fault = world.fail('ads.click', status, { code } as object);
      const response = await post('/public/ads/tracking/click', { clickToken: 'x' });
      const body: unknown = await response.json();
      expect([response.status, validate(ErrorEnvelope, body).ok]).toEqual([status, true]);
      expect(body).toMatchObject({ error: { code, statusCode: status, retryable: ERRORS[code].retryable } });
      expect(response.headers.has('retry-after')).toBe(status === 429 || status === 503);
      expect(fault.hits).toBe(1);
      fault.lift();
    }
  });

  test('a status that is not of the contract is refused with those that are', () => {
    expect(() => world.fail('tags.list', 404 as 401)).toThrow(/tags.list never answers 404 .* 401, 429, 500, 503/);
    expect(() => world.fail('tags.list', 500, { times: 0 })).toThrow(/at least once/);
  });

  test('they strike as often as told, the last one first, and nothing happens meanwhile', async () => {
    world.fail('*', 503);
    world.fail('ads.deliver', 500, { times: 2 });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await send('/public/ads/formats/POPUP')).status);
    expect(statuses).toEqual([500, 500, 503]);
    expect(impressions()).toBe(0);
    expect(world.calls['ads.deliver'].map(({ fault }) => fault)).toEqual([
      'INTERNAL_ERROR',
      'INTERNAL_ERROR',
      'UNAVAILABLE',
    ]);
  });

  test('after: the click counts and its answer is lost', async () => {
    const { id, clickToken } = await deliver();
    world.fail('ads.click', 500, { after: true, times: 1 });
    expect((await post('/public/ads/tracking/click', { clickToken })).status).toBe(500);
    expect(world.ad(id).clicks).toBe(1);
    expect((await post('/public/ads/tracking/click', { clickToken })).status).toBe(409);
  });
});

describe('broken transport', () => {
  test('reset, cut, truncate, html, wrong-type, empty', async () => {
    const broken = (...args: Parameters<World['disrupt']> extends [unknown, infer D, ...unknown[]] ? [D] : never) => {
      world.disrupt('tags.list', args[0], { times: 1 });
      return send('/public/tags');
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
    expect((await send('/public/tags')).status).toBe(200);
  });

  test('a disturbed answer leaves no trace unless it is asked to', async () => {
    const lost = async (after: boolean) => {
      world.disrupt('ads.deliver', 'truncate', { after, times: 1 });
      await send('/public/ads/formats/POPUP');
      return impressions();
    };
    expect(await lost(false)).toBe(0);
    expect(await lost(true)).toBe(1);
  });

  test('stall sends headers, then nothing until the caller gives up', async () => {
    world.disrupt('tags.list', 'stall');
    const controller = new AbortController();
    const response = await send('/public/tags', { signal: controller.signal });
    expect(response.status).toBe(200);
    const text = response.text();
    controller.abort(new Error('enough'));
    await expect(text).rejects.toThrow();
  });

  test('drip comes in pieces as the clock moves', async () => {
    world.disrupt('tags.list', 'drip');
    const text = (await send('/public/tags')).text();
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
});

describe('gates and latency', () => {
  test('two answers are released in reverse order', async () => {
    const order: string[] = [];
    const first = world.hold('search', { times: 1 });
    const second = world.hold('search', { times: 1 });
    const one = send('/public/search?q=the').then(() => order.push('one'));
    await first.arrived();
    const two = send('/public/search?q=train').then(() => order.push('two'));
    await second.arrived();
    expect([first.held, second.held]).toEqual([1, 1]);
    second.release();
    await two;
    first.release();
    await one;
    expect(order).toEqual(['two', 'one']);
  });

  test('latency runs in the time of the world', async () => {
    world.delay('tags.list', '300ms');
    let status: number | undefined;
    const answer = send('/public/tags').then((response) => {
      status = response.status;
    });
    await send('/public/categories');
    expect([status, world.clock.waiting]).toEqual([undefined, 1]);
    world.clock.advance('300ms');
    await answer;
    expect(status).toBe(200);
  });

  test('an abort gets through both', async () => {
    world.hold('tags.list');
    world.delay('posts.list', '1s');
    for (const path of ['/public/tags', '/public/posts']) {
      const controller = new AbortController();
      const answer = send(path, { signal: controller.signal });
      controller.abort(new Error('gone'));
      await expect(answer).rejects.toThrow('gone');
    }
  });
});

describe('asking', () => {
  test('calls are typed and read as the API reads them', async () => {
    await send('/public/search?q=%20night%20%20train%20&limit=5');
    await post('/public/ads/formats', { slots: [{ slotId: 'a', format: 'BANNER' }] });
    expect(world.calls.search[0]?.query).toEqual({ q: 'night train', limit: 5, offset: 0 });
    expect(world.calls['ads.deliverBatch'][0]?.body.slots[0]?.slotId).toBe('a');
    expect(world.journal.map(({ endpoint, status }) => [endpoint, status])).toEqual([
      ['search', 200],
      ['ads.deliverBatch', 200],
    ]);
  });

  test('requests off the contract are told in its words', async () => {
    await send('/public/posts?limit=500&per_page=3');
    await send('/public/ads/tracking/click', { method: 'POST', body: new TextEncoder().encode('{}') });
    await send('/public/nothing');
    expect(() => world.assertOnContract()).toThrow(
      /3 request\(s\).*per_page: posts.list has no such query parameter; it has status, limit, offset.*limit: must be at most 100.*the API has nothing at GET \/public\/nothing/s,
    );
    expect(world.offContract.map(({ problems }) => problems.length)).toEqual([2, 1, 1]);
    world.forgive();
    expect(() => world.assertOnContract()).not.toThrow();
  });

  test('a refusal that is not the fault of the caller is on the contract', async () => {
    await send('/public/posts/none');
    world.fail('posts.get', 400);
    await send('/public/posts/none');
    expect(world.offContract).toEqual([]);
  });

  test('an ad that does not exist is an error, not a zero', () => {
    expect(() => world.ad('nobody')).toThrow(/has no ad nobody; it has/);
  });
});

describe('reset, snapshot, restore', () => {
  test('a reset world is as new', async () => {
    const before = await (await send('/public/ads/formats/BANNER')).text();
    world.fail('*', 500);
    world.hold('tags.list');
    world.clock.advance('1d');
    world.put({ tags: [{ id: 'new', name: 'New' }] });
    world.reset();
    expect(world.journal).toEqual([]);
    expect((await send('/public/tags/new')).status).toBe(404);
    world.reset();
    expect(await (await send('/public/ads/formats/BANNER')).text()).toBe(before);
  });

  test('a snapshot brings back tokens, counters and time', async () => {
    const { id, clickToken } = await deliver();
    const state = world.snapshot();
    const click = async () => (await post('/public/ads/tracking/click', { clickToken })).status;
    expect(await click()).toBe(200);
    world.clock.advance('1h');
    world.restore(state);
    expect([world.ad(id).clicks, world.tokens.used.length]).toEqual([0, 0]);
    expect(await click()).toBe(200);
    expect(() => mock.main.restore(state)).toThrow(/snapshot is of world/);
  });
});
