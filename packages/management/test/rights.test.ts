import { SCOPES, type Scope, type SqlStore, sha256Hex } from '@broadsheet/store';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { png } from '../../../tools/testing/images.ts';
import { seedsOf } from '../../../tools/testing/seeds.ts';
import { openStore } from '../../store/src/open-store.ts';
import { type Actor, COMMAND_LINE, type CommandTable } from '../src/commands/command.ts';
import { COMMANDS } from '../src/commands/commands.ts';
import { runCommand } from '../src/commands/run-command.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const TABLE: CommandTable = COMMANDS;
const AD = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const OLD = 'https://old.example';
const IMAGE = `${OLD}/media/${'0'.repeat(64)}.png`;

/** The changes that each scope permits. */
const PERMITTED: Readonly<Record<Scope, readonly string[]>> = {
  import: ['content', 'images'],
  ads: ['ads', 'report links', 'images'],
  stats: [],
  all: ['content', 'images', 'ads', 'report links', 'settings', 'keys', 'hooks'],
};

const blogOf = (id: string) => ({
  ...{ id, name: 'News', apiKeys: [`key-of-${id}`], domains: ['news.example'] },
  ...{ categories: [{ id: 'c', name: 'Category' }], tags: [{ id: 't', name: 'Tag' }] },
  posts: [
    { id: 'p', title: 'Post', slug: 'p', content: `![](${IMAGE})`, categoryIds: ['c'] },
    { id: 'q', title: 'Secret draft', slug: 'q', status: 'DRAFT' as const },
  ],
  campaigns: [{ id: 'spring', sponsor: 'Tea', name: 'Spring' }],
  ads: [{ id: AD, format: 'BANNER' as const, title: 'Tea', imageUrl: IMAGE, campaignId: 'spring' }],
});

const posts = fc.constantFrom([], [{ id: 'p', title: 'Forged', slug: 'p' }], [{ id: 'r', title: 'New', slug: 'q' }]);
const ads = fc.constantFrom([], [{ id: AD, format: 'BANNER' as const, title: 'Forged' }]);
const labels = fc.constantFrom([], [{ id: 'c', name: 'Forged' }]);

/** A part of an import, and how it is imported. */
const imports = fc.record({
  part: fc.record({ posts, ads, categories: labels, name: fc.constantFrom('News', 'Forged') }),
  prune: fc.boolean(),
  dryRun: fc.boolean(),
  isForged: fc.boolean(),
});

const commands = fc.constantFrom<readonly [string, object]>(
  ['media.move', { old: OLD, new: 'https://evil.example' }],
  ['media.add', { image: Buffer.from(png(1, 1)).toString('base64') }],
  ['media.prune', {}],
  ['posts.unpublish', { post: 'p' }],
  ['posts.delete', { post: 'p' }],
  ['posts.restore', { post: 'p' }],
  ['ads.edit', { ad: AD, title: 'Other' }],
  ['ads.pause', { ad: [AD] }],
  ['ads.delete', { ad: AD }],
  ['ads.restore', { ad: AD }],
  ['campaigns.pause', { campaign: 'spring' }],
  ['campaigns.delete', { campaign: 'spring' }],
  ['campaigns.restore', { campaign: 'spring' }],
  ['campaigns.report', { campaign: 'spring', link: true, url: 'https://blog.example' }],
  ['blogs.rename', { name: 'Renamed' }],
  ['blogs.domains', { add: ['evil.example'] }],
  ['blogs.publisher', { contact: 'ads@news.example' }],
  ['keys.create', {}],
  ['keys.revoke', { all: true }],
  ['hooks.add', { url: 'https://evil.example/hook' }],
);

describeDatabases('the rights of a token', (database) => {
  let store: SqlStore;
  let blogs = 0;
  beforeAll(async () => {
    store = await openStore(database.url);
  });
  afterAll(() => store?.close());

  const call = (actor: Actor, name: string, blog: string, args: object) =>
    runCommand({ store, now: NOW, commands: TABLE }, { name, blog, args, actor });

  async function stateOf(blog: string): Promise<Readonly<Record<string, string>>> {
    const snapshot = await store.exportBlog(blog);
    if (!snapshot) throw new Error(`The blog ${blog} is gone.`);
    const { posts: content, categories, tags, ads: all, campaigns, ...settings } = snapshot;
    const links = await store.listReportLinks({ blog, campaign: 'spring' }, NOW);
    const values = {
      content: { content, categories, tags },
      ads: { all, campaigns },
      'report links': links.length,
      settings,
      keys: (await store.listKeys(blog)).map(({ id, revokedAt }) => [id, revokedAt]),
      hooks: (await store.listHooks(blog)).length,
      images: await store.missingImages(blog, [await sha256Hex('none')]),
    };
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
  }

  /** Sends an import as a client does, or under the name of the part that the next import from CI sends. */
  async function sendImport(
    actor: Actor,
    blog: string,
    step: typeof imports extends fc.Arbitrary<infer T> ? T : never,
  ) {
    const part = { id: blog, ...step.part };
    const hash = await sha256Hex(JSON.stringify(step.isForged ? ciPart(blog) : part));
    await call(actor, 'import.add', blog, { name: hash, part });
    return call(actor, 'import.run', blog, { parts: [hash], prune: step.prune, dryRun: step.dryRun });
  }
  const ciPart = (blog: string) => ({ id: blog, name: 'News', posts: [{ id: 'ci', title: 'From CI', slug: 'ci' }] });

  test('nothing changes that its scope does not permit, and what it shows needs the same right', async () => {
    const step = fc.oneof(imports, commands);
    const run = fc.asyncProperty(fc.constantFrom(...SCOPES), fc.array(step, { maxLength: 4 }), async (scope, steps) => {
      blogs += 1;
      const blog = `blog-${blogs}`;
      await store.importBlogs([blogOf(blog)], NOW);
      const actor = { name: 'token t', scope, blogId: blog, isOperator: false };
      const before = await stateOf(blog);
      for (const one of steps) {
        const [name, args] = Array.isArray(one) ? (one as readonly [string, object]) : [];
        const work = name === undefined ? sendImport(actor, blog, one as never) : call(actor, name, blog, args ?? {});
        const shown = await work.then(JSON.stringify, (error: Error) => error.message);
        if (!PERMITTED[scope].includes('content')) expect(shown).not.toContain('Secret draft');
      }
      const after = await stateOf(blog);
      const changed = Object.keys(after).filter((kind) => after[kind] !== before[kind]);
      expect(changed.filter((kind) => !PERMITTED[scope].includes(kind))).toEqual([]);
      const part = ciPart(blog);
      const hash = await sha256Hex(JSON.stringify(part));
      const missing = (await call(COMMAND_LINE, 'import.missing', blog, { parts: [hash] })) as readonly string[];
      if (missing.length > 0) await call(COMMAND_LINE, 'import.add', blog, { name: hash, part });
      await call(COMMAND_LINE, 'import.run', blog, { parts: [hash] });
      expect((await store.getAnyPost(blog, 'ci'))?.title).toBe('From CI');
    });
    const examples: [Scope, (object | readonly [string, object])[]][] = [
      [
        'ads',
        [{ part: { posts: [], ads: [], categories: [], name: 'News' }, prune: true, dryRun: false, isForged: false }],
      ],
      [
        'ads',
        [{ part: { posts: [], ads: [], categories: [], name: 'News' }, prune: true, dryRun: true, isForged: false }],
      ],
      [
        'ads',
        [
          {
            part: { posts: [{ id: 'p', title: 'Forged', slug: 'p' }], ads: [], categories: [], name: 'News' },
            prune: false,
            dryRun: false,
            isForged: true,
          },
        ],
      ],
      ['import', [['media.move', { old: OLD, new: 'https://evil.example' }]]],
    ];
    for (const seed of seedsOf()) await fc.assert(run, { seed, numRuns: 40, examples: examples as never });
  });
});

test('an import token moves the images of posts, and an ads token those of nothing', async () => {
  const store = await openStore('sqlite::memory:');
  await store.importBlogs([blogOf('news')], NOW);
  const move = (scope: Scope) =>
    runCommand(
      { store, now: NOW, commands: TABLE },
      {
        ...{ name: 'media.move', blog: 'news', args: { old: OLD, new: 'https://new.example' } },
        actor: { name: 'token t', scope, blogId: 'news', isOperator: false },
      },
    );
  await expect(move('ads')).rejects.toThrow('requires the scope import or all');
  expect(await move('import')).toMatchObject({ changed: 1 });
  expect((await store.getAnyPost('news', 'p'))?.content).toContain('https://new.example/media/');
  expect((await store.listAllAds('news'))[0]?.imageUrl).toBe(IMAGE);
  expect(await move('all')).toMatchObject({ changed: 1 });
  await store.close();
});
