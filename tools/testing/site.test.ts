import { expect, test } from 'vitest';
import { bodyOf, freePort, openSite } from './site.ts';

test('a site responds, reads whole bodies, and refuses connections after it is closed', async () => {
  const site = await openSite(
    async (request, response) => void response.end(`${request.url}: ${await bodyOf(request)}`),
  );
  expect(await (await fetch(`${site.url}/a?b`, { method: 'POST', body: 'é'.repeat(100_000) })).text()).toBe(
    `/a?b: ${'é'.repeat(100_000)}`,
  );
  await site.close();
  await site.close();
  await expect(fetch(site.url)).rejects.toThrow();
});

test('closing a site aborts pending requests', async () => {
  const arrived = Promise.withResolvers<void>();
  const site = await openSite(() => arrived.resolve());
  const outcome = fetch(site.url).then(String, () => 'ended');
  await arrived.promise;
  await site.close();
  expect(await outcome).toBe('ended');
});

test('no server listens on a free port', async () => {
  await expect(fetch(`http://127.0.0.1:${await freePort()}`)).rejects.toThrow();
});
