import { expect, test } from 'vitest';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';
import { FuzzFailure } from './explore.ts';
import { mixtureOf } from './mixture.ts';

const mock = createMock();
const ads = async (world: World) => {
  const response = await world.fetch(`${mock.baseUrl}/public/ads/formats/BANNER`, {
    headers: { 'X-API-Key': world.apiKey },
  });
  return (await response.json()) as { title?: string | null; clickToken: string };
};

test('a seed is one world of legal answers, always the same', async () => {
  const answerOf = async (seed: number) => {
    const { clickToken: _, ...rest } = await ads(mock.fuzz(seed));
    return JSON.stringify(rest).slice(0, 2000);
  };
  const answers = await Promise.all([1, 1, 2, 3].map(answerOf));
  expect(answers[0]).toBe(answers[1]);
  expect(new Set(answers).size).toBeGreaterThan(1);
});

test('a render that trips over one thing is shrunk to that thing', async () => {
  const render = async (world: World) => {
    const { title } = await ads(world);
    if (title === null) throw new TypeError('title is null');
  };
  const failure = await mock.explore(render).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(FuzzFailure);
  const { seed, message } = failure as FuzzFailure;
  expect(mixtureOf(seed)).toMatchObject({ mutations: ['null'], unwrapped: false, oneIn: 1 });
  expect(message).toMatch(
    /fails with null in one of 1 places: title is null\nSee it again with mock.fuzz\('2\.1\.0'\)/,
  );
  await expect(render(mock.fuzz(seed))).rejects.toThrow('title is null');
});

test('a render that holds is left in peace, and no world is left behind', async () => {
  let used = 0;
  await mock.explore((world) => ads(world).then(() => (used += 1)), { runs: 7 });
  expect(used).toBe(7);
});

test.each([
  ['runs that are no number', { runs: Number.NaN }, 'runs is NaN; write a whole number from 1'],
  ['no runs at all', { runs: 0 }, 'runs is 0; write a whole number from 1'],
  ['a misspelt option', { run: 5 } as object, 'there is no option run; there are runs, seed'],
])('%s are refused, since nothing would be looked at', async (_, options, message) => {
  const refused = mock.explore(() => expect.unreachable(), options);
  await expect(refused).rejects.toThrow(new TypeError(`mock.explore: ${message}`));
});

test('what is no function is no render', async () => {
  const refused = mock.explore(undefined as never);
  await expect(refused).rejects.toThrow(
    /^mock.explore: the render is undefined; give it a function that takes a world/,
  );
});
