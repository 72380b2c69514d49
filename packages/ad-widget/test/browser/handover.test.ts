import { expect, test } from 'vitest';
import { page, recorder, start } from '../browser-page.ts';

const slot = (name: string) =>
  `<broadsheet-slot name="${name}" format="BANNER" style="display: block; height: 120px"></broadsheet-slot>`;

test.each([
  ['its slot was inserted', () => page(slot('second'))],
  [
    'a plain element was inserted',
    () => page('<div data-broadsheet-slot="second" data-format="BANNER" style="height: 120px"></div>'),
  ],
])('a client made before the old one is destroyed takes over its slots, after %s', async (_, insert) => {
  page(slot('first'));
  const old = start({ transport: recorder().transport });
  await expect.poll(() => old.stats().rendered).toBe(1);
  insert();
  const { batches, transport } = recorder();
  const ads = start({ transport });
  old.destroy();
  await expect.poll(() => ads.inspect().map(({ slotId, state }) => [slotId, state])).toEqual([['second', 'filled']]);
  expect(batches).toHaveLength(1);
  expect(old.inspect()).toEqual([]);
});

test('three clients hand a slot on', async () => {
  page(slot('a'));
  const clients = [1, 2, 3].map(() => start({ transport: recorder().transport }));
  for (const [index, client] of clients.entries()) {
    await expect.poll(() => client.inspect().map(({ state }) => state)).toEqual(['filled']);
    expect(clients.filter((other) => other.inspect().length > 0)).toEqual([client]);
    if (index < 2) client.destroy();
  }
});
