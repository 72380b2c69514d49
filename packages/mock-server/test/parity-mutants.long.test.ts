import { runConformance } from '@broadsheet/conformance';
import { expect, test } from 'vitest';
import { sampleBlog } from '../src/data/sample-blog.ts';
import { createMock } from '../src/node.ts';
import { MUTANTS, type Mutant } from './support/mutants/index.ts';

// The blog of a user: the suite knows only the content that its API shows.
const { posts = [], ...rest } = sampleBlog('magazine');
const blog = {
  ...rest,
  // A format without ads has unfilled deliveries.
  ads: (rest.ads ?? []).filter(({ format }) => format !== 'POPUP'),
  // Some subtitles repeat the title of another post.
  posts: posts.map((post, index) => ({
    ...post,
    title: index % 7 === 0 ? `${post.title} & more` : post.title,
    categoryIds: [...new Set([...(post.categoryIds ?? []), rest.categories?.[index % 3]?.id ?? ''])],
    ...(index % 5 === 0 && { subtitle: `More on ${posts.at(-index - 3)?.title}` }),
    content: `${post.content}<a href="https://magazine.example/about">us</a>`,
  })),
};

const differences = async (breaks: Mutant['breaks'], domains: readonly string[], origin?: string) => {
  const mock = createMock();
  const world = mock.world({ blog: { ...blog, domains: [...domains] } });
  const send = breaks((request) => mock.fetch(request));
  const results = await runConformance(
    { ...world.connection, fetch: send, origins: true, ...(origin !== undefined && { origin }) },
    { effects: 'all', bail: true },
  );
  return results.flatMap(({ section, name, error }) => (error === undefined ? [] : [`${section} ${name}: ${error}`]));
};

test.each([[[]], [['magazine.example']]])(
  'a correct server of the same blog has no differences: domains %j',
  async (domains) => {
    expect(await differences((send) => send, domains)).toEqual([]);
  },
);

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  'the suite finds the deviation: %s',
  async (_, { breaks, domains = false }) => {
    const found = domains
      ? differences(breaks, ['magazine.example'], 'https://magazine.example')
      : differences(breaks, []);
    expect(await found).toHaveLength(1);
  },
);
