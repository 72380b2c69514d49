import { ENDPOINTS, ERRORS } from '@broadsheet/contract';
import { ErrorEnvelope, validate } from '@broadsheet/contract/schemas';
import { beforeEach, expect, test } from 'vitest';
import { visit } from '../../test/support/visit.ts';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';

const mock = createMock();
let world: World;
beforeEach(() => {
  world = mock.world();
});

test('every status of every endpoint has a legal body', async () => {
  for (const code of ENDPOINTS['ads.click'].failures) {
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

test('a status that is not of the contract is refused with those that are', () => {
  expect(() => world.fail('tags.list', 404 as 401)).toThrow(/tags.list never answers 404 .* 401, 429, 500, 503/);
  expect(() => world.fail('tags.list', 500, { times: 0 })).toThrow(/at least once/);
});

test('they are applied as often as `times` says, the last one first, and nothing happens meanwhile', async () => {
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

test('after: the click counts and its answer is lost', async () => {
  const { id, clickToken } = await visit(world).deliver();
  world.fail('ads.click', 500, { after: true, times: 1 });
  expect((await visit(world).post('/public/ads/tracking/click', { clickToken })).status).toBe(500);
  expect(world.ad(id).clicks).toBe(1);
  expect((await visit(world).post('/public/ads/tracking/click', { clickToken })).status).toBe(409);
});
