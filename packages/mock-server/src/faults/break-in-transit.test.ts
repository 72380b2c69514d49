import { beforeEach, expect, test } from 'vitest';
import { visit } from '../../test/support/visit.ts';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';
import type { TransportFault } from './fault.ts';

const mock = createMock();
let world: World;
beforeEach(() => {
  world = mock.world();
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
