import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createMock } from '../src/node.ts';

const mock = createMock();
afterEach(() => {
  vi.useRealTimers();
});

const read = async () => {
  const headers = { 'X-API-Key': mock.main.apiKey };
  const response = await mock.fetch(`${mock.baseUrl}/public/tags`, { headers });
  return response.text();
};

test.each([
  ["vitest's default set", undefined],
  ['every timer but queueMicrotask, as the guide says', ['setTimeout', 'setInterval', 'setImmediate', 'Date']],
] as const)('responses can be read with fake timers: %s', async (_, toFake) => {
  vi.useFakeTimers(toFake && { toFake: [...toFake] });
  expect(await read()).toContain('"success":true');
});

test('a mock listens and reads bodies although timers were faked before', async () => {
  vi.useFakeTimers();
  await using server = await mock.listen();
  const statusOf = (method: string, path: string, body = '') =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': mock.main.apiKey, 'content-type': 'application/json' };
      const sent = request(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(body);
    });
  expect(await statusOf('GET', '/public/tags')).toBe(200);
  const slots = [{ slotId: 'a', format: 'BANNER' }];
  expect(await statusOf('POST', '/public/ads/formats', JSON.stringify({ slots }))).toBe(200);
});

// The guide warns about this: Node reads bodies with queueMicrotask.
test('with a fake queueMicrotask a body is read only when fake time advances', async () => {
  vi.useFakeTimers({ toFake: ['queueMicrotask'] });
  let text: string | undefined;
  const reading = read().then((whole) => {
    text = whole;
  });
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  expect(text).toBeUndefined();
  vi.useRealTimers();
  void reading;
});
