import { expect, test } from 'vitest';
import { createMock } from '../node.ts';
import type { World } from '../worlds/world.ts';
import { FuzzFailure } from './explore.ts';

const mock = createMock();

// biome-ignore lint/suspicious/noExplicitAny: the renders mimic plain JavaScript, where such bugs occur
type Any = any;

async function send(world: World, path: string, body?: object): Promise<Any> {
  const response = await world.fetch(`${mock.baseUrl}/public${path}`, {
    headers: { 'X-API-Key': world.apiKey, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path.split('?')[0]} returned ${response.status}`);
  return response.json();
}
/** Reads a response with or without its envelope, as a client does. */
const data = async (world: World, path: string): Promise<Any> => {
  const body = await send(world, path);
  return body.success === true ? body.data : (body.posts ?? body);
};
const enc = encodeURIComponent;
const banner = (world: World) => send(world, '/ads/formats/BANNER');
const slots = (...formats: string[]) => ({ slots: formats.map((format, n) => ({ slotId: `s${n}`, format })) });
const must = (condition: unknown, message: string) => {
  if (!condition) throw new Error(message);
};

/** Renders with one bug each, and what the report must name. */
const BUGS: readonly [bug: string, render: (world: World) => Promise<unknown>, names: RegExp][] = [
  [
    'imageUrl is taken for granted',
    async (w) => {
      const ad = await banner(w);
      return ad.filled && ad.imageUrl !== undefined && new URL(ad.imageUrl);
    },
    /^fails with `ads\.deliver`: `imageUrl` is null: /,
  ],
  [
    'a title that is absent',
    async (w) => {
      const ad = await banner(w);
      must(!ad.filled || 'title' in ad, 'no title');
    },
    /^fails with `ads\.deliver`: `title` is absent: /,
  ],
  [
    'an ad is always there',
    async (w) => (await banner(w)).id.length,
    /^fails with `ads\.deliver`: `filled` is false( for BANNER)?: /,
  ],
  [
    'the second slot is always filled',
    async (w) => (await send(w, '/ads/formats', slots('POPUP', 'POPUP')))[1].clickToken.length,
    /^fails with `ads\.deliver(Batch)?`: `filled` is false/,
  ],
  [
    'posts are never empty',
    async (w) => (await data(w, '/posts'))[0].id,
    /^fails with `posts\.list`: `data` is empty: /,
  ],
  [
    'there is a second post',
    async (w) => {
      const posts = await data(w, '/posts');
      return posts.length === 0 || posts[1].id;
    },
    /^fails with `posts\.list`: `data` has one item: /,
  ],
  [
    'a full page has a next one',
    async (w) => {
      const posts = await data(w, '/posts');
      return posts.length < 10 || (await data(w, '/posts?offset=10'))[0].id;
    },
    /^fails with `posts\.list`: the last page is full, with 10 posts/,
  ],
  [
    'there are categories',
    async (w) => (await data(w, '/categories'))[0].name,
    /^fails with `categories\.list`: `data` is empty: /,
  ],
  ['there are tags', async (w) => (await data(w, '/tags'))[0].name, /^fails with `tags\.list`: `data` is empty: /],
  [
    'a post has a category',
    async (w) => {
      for (const post of await data(w, '/posts')) post.categories[0].name;
    },
    /^fails with (posts: `categories` is empty|`categories\.list`: `data` is empty): /,
  ],
  [
    'a post has a tag',
    async (w) => {
      for (const post of await data(w, '/posts')) post.tags[0].name;
    },
    /^fails with (posts: `tags` is empty|`tags\.list`: `data` is empty): /,
  ],
  [
    'slugs are not encoded',
    async (w) => {
      for (const { slug } of (await data(w, '/posts')).slice(0, 2)) await data(w, `/posts/slug/${slug}`);
    },
    /^fails with posts: `slug` needs encoding/,
  ],
  [
    'ids of posts are not encoded',
    async (w) => {
      for (const { id } of (await data(w, '/posts')).slice(0, 2)) await data(w, `/posts/${id}`);
    },
    /^fails with `id` needs encoding/,
  ],
  [
    'ids of tags are not encoded',
    async (w) => {
      for (const { id } of (await data(w, '/tags')).slice(0, 2)) await data(w, `/tags/${id}/posts`);
    },
    /^fails with `id` needs encoding/,
  ],
  [
    'publishedAt is a date',
    async (w) => {
      for (const post of await data(w, '/posts')) post.publishedAt.slice(0, 10);
    },
    /`publishedAt` is null: /,
  ],
  [
    'a hit has a subtitle',
    async (w) => {
      for (const hit of (await data(w, '/search?q=the')).data) hit.subtitle.trim();
    },
    /^fails with `search`: `data\.data\.\d+\.subtitle` is null: /,
  ],
  [
    'a hit has a cover',
    async (w) => {
      for (const hit of (await data(w, '/search?q=the')).data)
        hit.coverUrl?.startsWith('http') || must(hit.coverUrl === null, 'odd cover');
    },
    /^none$/,
  ],
  [
    'posts of a tag are whole',
    async (w) => {
      const [tag] = await data(w, '/tags');
      if (tag) for (const post of await data(w, `/tags/${enc(tag.id)}/posts`)) post.content.length;
    },
    /^fails with `tags\.posts`: `data\.\d+\.content` is absent: /,
  ],
  [
    'titles are put into HTML',
    async (w) => {
      for (const { title } of await data(w, '/posts')) must(!title.includes('<script>'), 'injected');
    },
    /^fails with `posts\.list`: `data\.\d+\.title` contains markup and unbalanced brackets: /,
  ],
  [
    'titles are short',
    async (w) => {
      for (const { title } of await data(w, '/posts')) must(title.length < 500, 'too long');
    },
    /^fails with (`posts\.list`: `data\.\d+\.title`|every text) is very long: /,
  ],
  [
    'titles are cut inside a surrogate pair',
    async (w) => {
      for (const { title } of await data(w, '/posts')) enc(title.slice(0, 1));
    },
    /^fails with `posts\.list`: `data\.\d+\.title` has letters beyond 16 bits/,
  ],
  [
    'names of categories are never empty',
    async (w) => {
      for (const { name } of await data(w, '/categories')) must(name !== '', 'no name');
    },
    /^fails with `categories\.list`: `data\.\d+\.name` is an empty string: /,
  ],
  [
    'responses are always wrapped',
    async (w) => must((await send(w, '/tags')).success === true, 'no envelope'),
    /^fails with responses have no success envelope: /,
  ],
  [
    'null and null together',
    async (w) => {
      const ad = await banner(w);
      must(!(ad.title === null && ad.content === null), 'nothing to show');
    },
    /^fails with (?=.*`title` is null)(?=.*`content` is null)[^,]*, and [^,]*: nothing to show/,
  ],
];

const failureOf = (render: (world: World) => unknown, options?: object) =>
  mock.explore(render, options).then(
    () => undefined,
    (error: unknown) => error,
  );

test.each(BUGS.filter(([, , names]) => names.source !== '^none$'))(
  'explore finds and names the bug: %s',
  async (_, render, names) => {
    const failure = (await failureOf(render)) as FuzzFailure;
    expect(failure).toBeInstanceOf(FuzzFailure);
    expect(failure.message).toMatch(names);
    // The set is minimal: the render fails again with all of its variations, and passes without any one of them.
    await expect(async () => render(await mock.fuzz(failure.variations))).rejects.toThrow();
    for (const spared of failure.variations) {
      await render(await mock.fuzz(failure.variations.filter((variation) => variation !== spared)));
    }
  },
);

test('a render without bugs passes, and runs once for each point', async () => {
  const held = BUGS.find(([, , names]) => names.source === '^none$')?.[1] ?? expect.unreachable();
  let used = 0;
  await mock.explore(
    async (world) => {
      used += 1;
      await held(world);
    },
    { runs: 7 },
  );
  expect(used).toBe(13);
});

test('explore skips the variations in `without`', async () => {
  const wrapped = async (world: World) => must((await send(world, '/tags')).success === true, 'no envelope');
  expect(await failureOf(wrapped, { without: ['unwrapped'] })).toBeUndefined();
});

const readsImages = async (world: World) => {
  const ad = await banner(world);
  if (ad.imageUrl !== undefined) new URL(ad.imageUrl);
};
const readsTitles = async (world: World) => {
  for (const { title } of await data(world, '/posts')) must(title.length < 500, 'too long');
};

test.each([
  ['a field', readsImages, ['ads.deliver imageUrl: null', '*: absent']],
  ['a field of any item of a list', readsTitles, ['posts.list 3.title: huge', '*: astral', '*: emoji']],
  ['every text', readsTitles, ['*: huge', '*: astral', '*: emoji']],
])('explore never shows a variation in `without`: %s', async (_, render, without) => {
  expect(await failureOf(render)).toBeInstanceOf(FuzzFailure);
  expect(await failureOf(render, { without })).toBeUndefined();
});

test.each([
  'contnet: noAds',
  'ads.delivr imageUrl: null',
  'ads.deliver imgUrl: null',
  '*: hugh',
  'posts.list title: huge',
])('explore refuses an unknown variation in `without`: %s', async (name) => {
  await expect(mock.explore(() => undefined, { without: [name] })).rejects.toThrow(
    `mock.explore: unknown variation "${name}"; write it as a FuzzFailure lists it`,
  );
});

test.each([
  ['builds a regular expression from a title', (title: string) => new RegExp(title)],
  ...[1, 2, 57, 60, 61, 119, 120, 155, 156, 280, 399].map((length): [string, (title: string) => unknown] => [
    `cuts a title after ${length}`,
    (title) => enc(title.slice(0, length)),
  ]),
])('explore finds a render that %s', async (_, use) => {
  for (const path of ['/posts', '/posts/post-1']) {
    const failure = await failureOf(async (world: World) => {
      for (const { title } of [await data(world, path).catch(() => [])].flat()) use(title);
    });
    expect(failure).toBeInstanceOf(FuzzFailure);
  }
});

test('the same seed always gives the same world', async () => {
  const responseOf = async (seed: number) => {
    const world = await mock.fuzz(seed);
    return JSON.stringify(await data(world, '/posts')).replaceAll(world.name, 'world');
  };
  const responses = await Promise.all([1, 1, 2, 3].map(responseOf));
  expect(responses[0]).toBe(responses[1]);
  expect(new Set(responses).size).toBeGreaterThan(1);
});

test.each([
  ['empty', { posts: 0, categories: 0, tags: 0, filled: false }],
  ['one', { posts: 1, categories: 1, tags: 1, filled: true }],
  ['lastPage', { posts: 10, categories: 5, tags: 8, filled: true }],
  ['noAds', { posts: 10, categories: 5, tags: 8, filled: false }],
  ['longest', { posts: 10, categories: 5, tags: 8, filled: true }],
])('the preset %s has the content that its name says', async (preset, expected) => {
  const world = await mock.fuzz(preset);
  const [posts, categories, tags] = [
    await data(world, '/posts'),
    await data(world, '/categories'),
    await data(world, '/tags'),
  ];
  const { filled } = await banner(world);
  const counts = { posts: posts.length, categories: categories.length, tags: tags.length, filled };
  expect(counts).toEqual(expected);
  if (preset === 'one') expect((await send(world, '/ads/formats', slots('POPUP', 'POPUP')))[1].filled).toBe(false);
  if (preset === 'longest') expect(posts[0].content.length).toBeGreaterThan(100_000);
  if (preset === 'lastPage') {
    const { meta } = await send(world, `/categories/${posts[0].categories[0].id}/posts`);
    expect([meta.pagination.total, meta.pagination.hasNextPage]).toEqual([10, false]);
    expect(await data(world, '/posts?offset=10')).toEqual([]);
  }
});

test('an unknown variation is refused', async () => {
  // A seed may be any text, even the name of a property that every object has.
  expect((await mock.fuzz('constructor')).connection.apiKey).toBeTypeOf('string');
  await expect(mock.fuzz(['ads.deliver imageUrl: nul'])).rejects.toThrow(
    'mock.fuzz: unknown variation "ads.deliver imageUrl: nul"; write it as a FuzzFailure lists it',
  );
});

test.each([
  ['NaN runs', { runs: Number.NaN }, 'runs must be an integer of at least 1; received NaN'],
  ['zero runs', { runs: 0 }, 'runs must be an integer of at least 1; received 0'],
  ['a misspelt option', { run: 5 } as object, 'unknown option "run"; expected one of runs, seed, without'],
])('explore refuses %s, since it would check nothing', async (_, options, message) => {
  const refused = mock.explore(() => expect.unreachable(), options);
  await expect(refused).rejects.toThrow(`mock.explore: ${message}`);
});

test('explore refuses a render that is not a function', async () => {
  const refused = mock.explore(undefined as never);
  await expect(refused).rejects.toThrow(
    /^mock.explore: the render must be a function that takes a world; received undefined/,
  );
});
