import type { SnapshotBlogInput, SnapshotPost, SnapshotTag } from '@broadsheet/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedsOf } from '../../../tools/testing/seeds.ts';
import { createMock } from '../src/node.ts';
import type { World, WorldState } from '../src/worlds/world.ts';
import { visit } from './support/visit.ts';

// After any commands, a world shows one state: in its blog, through its API, in a snapshot, and restored from JSON.

const START = Date.UTC(2026, 0, 1, 12);
const AD = '11111111-1111-4111-8111-111111111111';
const BLOG: SnapshotBlogInput = {
  id: 'b',
  name: 'B',
  tags: [{ id: 't0', name: 'T' }],
  posts: [{ id: 'p0', title: 'First', slug: 'p0', tagIds: ['t0'] }],
  ads: [{ id: AD, format: 'POPUP' }],
};

/** A world, and what a test may keep of it. */
interface Run {
  world: World;
  /** Live, or read from JSON. */
  saved: WorldState[];
  tokens: string[];
}

const id = (prefix: string) => fc.nat(2).map((digit) => `${prefix}${digit}`);
const undefinedOr = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const schedule = fc.nat(3).map((hours) => new Date(START + hours * 3_600_000).toISOString());
const status = fc.oneof(
  fc.constantFrom({ status: 'PUBLISHED' as const }, { status: 'DRAFT' as const }),
  schedule.map((scheduledAt) => ({ status: 'SCHEDULED' as const, scheduledAt })),
);
const post = fc
  .tuple(id('p'), fc.string({ minLength: 1, maxLength: 5 }), undefinedOr(status))
  .map(([name, title, state]) => {
    return { id: name, slug: name, title: `A ${title.trim()}`, ...state };
  });
const commands: fc.Arbitrary<(run: Run) => unknown>[] = [
  post.map(
    (item) =>
      ({ world }: Run) =>
        world.put({ posts: [item] }),
  ),
  id('p').map(
    (one) =>
      ({ world }: Run) =>
        world.put({ tags: [{ id: 't0', name: `T ${one}` }], timeZone: 'UTC' }),
  ),
  fc.constantFrom<SnapshotTag[]>([], [{ id: 't1', name: 'New' }]).map(
    (tags) =>
      ({ world }: Run) =>
        world.put({ tags }),
  ),
  fc.constantFrom(['p0'], ['p1', 'p2']).map(
    (posts) =>
      ({ world }: Run) =>
        world.remove({ posts }),
  ),
  fc.constant(({ world }: Run) => world.remove({ tags: ['t0'] })),
  fc.constantFrom('10m', '1h', '2h').map(
    (by) =>
      ({ world }: Run) =>
        world.clock.advance(by as '1h'),
  ),
  fc.constant(({ world }: Run) => world.reset()),
  fc.constant(async (run: Run) => void run.tokens.push((await visit(run.world).deliver()).clickToken)),
  fc.nat().map((index) => async ({ world, tokens }: Run) => {
    const token = tokens[index % (tokens.length || 1)];
    if (token) await visit(world).click(token);
  }),
  fc.boolean().map((json) => ({ world, saved }: Run) => {
    const state = world.snapshot();
    saved.push(json ? JSON.parse(JSON.stringify(state)) : state);
  }),
  fc.nat().map((index) => ({ world, saved }: Run) => {
    const state = saved[index % (saved.length || 1)];
    if (state) world.restore(state);
  }),
];

/** Everything that a world shows. */
async function seen(world: World) {
  const read = async (path: string) => {
    const response = await visit(world).send(path);
    return [response.status, (await response.json()).data];
  };
  const lists = await Promise.all(['/public/posts?limit=100', '/public/tags', '/public/search?q=first'].map(read));
  const single = await Promise.all(['p0', 'p1', 'p2'].map((name) => read(`/public/posts/${name}`)));
  const { issued } = world.tokens;
  return { lists, single, blog: world.blog, ad: world.ad(AD), now: world.clock.now(), issued };
}

/** Compares the blog of a world with what its API shows of it. */
async function agrees(world: World): Promise<void> {
  const { blog } = world;
  const { lists, single } = await seen(world);
  const published = (blog.posts as SnapshotPost[]).filter((one) => one.status === 'PUBLISHED');
  const [[, posts], [, tags]] = lists as [[number, SnapshotPost[]], [number, (SnapshotTag & { _count: object })[]]];
  const fields = ({ id: name, title, status: state, publishedAt, createdAt, updatedAt }: SnapshotPost) => {
    return { id: name, title, status: state, publishedAt, createdAt, updatedAt };
  };
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  expect(posts.map(fields).sort(byId)).toEqual(published.map(fields).sort(byId));
  expect(tags.sort(byId).map(({ id: name, _count }) => [name, _count])).toEqual(
    (blog.tags ?? []).map((tag) => [tag.id, { posts: published.filter((one) => one.tagIds.includes(tag.id)).length }]),
  );
  expect(single.map(([code]) => code)).toEqual(
    ['p0', 'p1', 'p2'].map((name) => (published.some((one) => one.id === name) ? 200 : 404)),
  );
}

test('a world shows one state: in its blog, by its API, and restored from a snapshot', async () => {
  const sequence = fc.array(fc.oneof(...commands), { minLength: 1, maxLength: 14 });
  for (const seed of seedsOf(46))
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const [mock, other] = [createMock(), createMock()];
        const run: Run = { world: mock.world({ name: 'w', blog: BLOG }), saved: [], tokens: [] };
        for (const step of steps) {
          await step(run);
          await agrees(run.world);
          const expected = await seen(run.world);
          const state = run.world.snapshot();
          run.world.restore(state);
          expect(await seen(run.world)).toEqual(expected);
          const elsewhere = other.world({ name: 'w', blog: BLOG });
          elsewhere.restore(JSON.parse(JSON.stringify(state)));
          expect(await seen(elsewhere)).toEqual(expected);
          other.drop(elsewhere);
          const copy = other.world({ blog: run.world.blog });
          expect(copy.blog).toEqual(expected.blog);
          other.drop(copy);
        }
      }),
      { seed, numRuns: 60 },
    );
}, 120_000);
