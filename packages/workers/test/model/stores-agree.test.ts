import { WEBHOOK_TYPES } from '@broadsheet/contract';
import { test } from 'vitest';
import { seedsOf } from '../../../../tools/testing/seeds.ts';
import { agree } from './agree.ts';
import type { Command, Part } from './commands.ts';
import { findDisagreement } from './search.ts';
import { allKinds } from './stores.ts';

/** The number of commands that take a few seconds: the long tests run for minutes. */
const COMMANDS = 25;

const kinds = allKinds();

test.each(seedsOf(38))('all stores agree after the same commands (seed %i)', { timeout: 180_000 }, async (seed) => {
  await findDisagreement(kinds, { seed, length: 30, more: (commands) => commands < COMMANDS });
});

test('a blog that is deleted and created again counts its placements from zero, in each process', async () => {
  const create = { do: 'run', name: 'blogs.create', blog: 'a', args: { name: 'A' } } as const;
  const deliver = { do: 'deliver', blog: 'a', format: 'BANNER', slots: ['top'] } as const;
  await agree(kinds, [
    create,
    { do: 'flood', blog: 'a', slots: 201, named: 'x' },
    { do: 'process', number: 1 },
    deliver,
    { do: 'process', number: 0 },
    { do: 'run', name: 'blogs.delete', blog: 'a', args: { yes: true } },
    create,
    deliver,
    { do: 'process', number: 1 },
    { ...deliver, slots: ['side'] },
  ]);
});

const empty = { name: 'A', posts: [] };
const page = { name: 'A', posts: [{ id: 'p0', slug: 's0', title: 'alpha' }] };
/** A blog with many categories and ads. */
function large(count: number): Part {
  const ids = Array.from({ length: count }, (_, index) => String(index));
  return {
    ...page,
    categories: ids.map((id) => ({ id, name: `Category ${id}` })),
    ads: ids.map((id) => ({ id: `00000000-0000-4000-8000-${id.padStart(12, '0')}`, format: 'BANNER' })),
  };
}
const hook = (id: string): Command => ({ do: 'hook', blog: 'a', hook: id, types: WEBHOOK_TYPES });

const sold = (of: string, ads: readonly number[]): Part => ({
  ...empty,
  campaigns: [
    {
      ...{ id: of, sponsor: 'Tea', name: of, placements: ['top', 's*'], pace: 'fast', goal: { impressions: 9 } },
      ...{ startsAt: '2024-02-01T00:00:00.000Z', endsAt: '2024-03-31T00:00:00.000Z' },
    },
  ],
  ads: ads.map((id) => ({ id: `00000000-0000-4000-8000-00000000000${id}`, format: 'BANNER', campaignId: of })),
});
const pause = (verb: 'pause' | 'resume'): Command => ({
  ...{ do: 'run', name: `campaigns.${verb}`, blog: 'a', args: { campaign: 'spring' } },
});

test.each<[string, Command[]]>([
  [
    'two campaigns catch up with their plans in turns, and one of them is paused for a while',
    [
      { do: 'import', blog: 'a', parts: [sold('autumn', [1, 2]), sold('spring', [3])] },
      hook('h0'),
      ...['none', 'pause', 'resume'].flatMap((verb): Command[] => [
        ...(verb === 'none' ? [] : [pause(verb as 'pause' | 'resume')]),
        { do: 'deliver', blog: 'a', format: 'BANNER', slots: ['top', 'side'] },
        { do: 'deliver', blog: 'a', format: 'BANNER', slots: ['top'] },
      ]),
      { do: 'round trip', blog: 'a' },
    ],
  ],
  [
    'the import of an export gives no key to a blog without keys',
    [
      { do: 'put', blog: 'c', part: empty },
      { do: 'round trip', blog: 'c' },
      { do: 'import', blog: 'c', parts: [page] },
    ],
  ],
  [
    'a blog that is deleted during the import of another one keeps no keys',
    [
      { do: 'import', blog: 'b', parts: [empty] },
      {
        do: 'import',
        blog: 'a',
        parts: [empty, empty],
        meanwhile: { do: 'run', name: 'blogs.delete', blog: 'b', args: { yes: true } },
      },
    ],
  ],
  [
    'for receivers, a renamed file is not a removal',
    [{ do: 'import', blog: 'a', parts: [page] }, hook('h0'), { do: 'again', blog: 'a', post: 0, id: 'p1' }],
  ],
  [
    'the messages of a webhook that is deleted during an import delay no others',
    [
      { do: 'import', blog: 'a', parts: [empty] },
      hook('h0'),
      {
        do: 'import',
        blog: 'a',
        parts: [{ ...empty, many: { count: 600, word: 'word' } }, empty],
        meanwhile: { do: 'run', name: 'hooks.delete', blog: 'a', args: { hook: 'h0' } },
      },
      hook('h1'),
      { do: 'import', blog: 'a', parts: [page] },
    ],
  ],
  [
    'hundreds of posts, categories and ads are imported together, and reported when they are pruned',
    [
      { do: 'import', blog: 'a', parts: [{ ...large(500), many: { count: 500, word: 'word' } }] },
      hook('h0'),
      { do: 'import', blog: 'a', parts: [large(1)], prune: true },
    ],
  ],
])('%s', async (_, commands) => {
  await agree(kinds, commands);
});
