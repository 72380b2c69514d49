import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SnapshotInput } from '@broadsheet/contract';
import { Timestamp, validate } from '@broadsheet/contract/schemas';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { png } from '../../../tools/testing/images.ts';
import { seedsOf } from '../../../tools/testing/seeds.ts';
import { settled } from '../test/settled.ts';
import { readContent, readUpload } from './index.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder().path;
});

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

const problemsOf = async (path: string): Promise<readonly string[]> => {
  const read = await readContent(path);
  return read.ok ? [] : read.problems.map(({ at, message }) => `${at}: ${message}`);
};

const problemsIn = async (snapshot: unknown): Promise<readonly string[]> =>
  problemsOf(await put('snapshot.json', typeof snapshot === 'string' ? snapshot : JSON.stringify(snapshot)));

describe('a file', () => {
  test('a file that is missing, empty or of another kind is refused with a hint', async () => {
    expect(await problemsOf(join(folder, 'nothing.json'))).toEqual([expect.stringContaining('does not exist')]);
    expect(await problemsIn('  \n')).toEqual(['snapshot.json: is empty; expected JSON']);
    expect(await problemsIn([])).toEqual([expect.stringContaining('neither a snapshot')]);
    expect(await problemsOf(await put('a.md', '---\ntitle: A\n---\n'))).toEqual([
      expect.stringContaining('specify its folder'),
    ]);
  });

  test('a file that is not text, such as an image, is refused with a list of what can be imported', async () => {
    expect(await problemsOf(await put('logo.png', png(4, 5)))).toEqual([
      'logo.png: is not a text file; choose a snapshot, a Ghost export, or a folder of Markdown',
    ]);
  });

  test('a file that is not UTF-8 is refused with the line; a byte order mark is accepted', async () => {
    const latin = Buffer.from('{\n"blogs": "caf\u00e9" }', 'latin1');
    expect(await problemsOf(await put('latin.json', latin))).toEqual([
      'latin.json: is not UTF-8 text (line 2); save it as UTF-8',
    ]);
    expect(await problemsOf(await put('wide.json', Buffer.from('\ufeff{}', 'utf16le')))).toEqual([
      'wide.json: is UTF-16 text; save it as UTF-8',
    ]);
    expect(await problemsIn('\ufeff{ "blogs": [] }')).toEqual([]);
  });
});

describe('an option that does not apply to the content', () => {
  const refusedFor = async (path: string) => {
    const refused: string[] = [];
    const all = {
      skipBad: true,
      html: true,
      allowMissing: true,
      root: join(folder, 'nowhere'),
      media: true,
      name: 'N',
    };
    for (const [option, value] of Object.entries(all)) {
      const read = await readContent(path, { [option]: value, mediaUrl: 'https://blog.example' });
      const message = read.ok ? '' : (read.problems[0]?.message ?? '');
      if (/ applies to /.test(message)) refused.push(`${option}: ${message}`);
    }
    return refused;
  };

  test('is refused for a snapshot, with the content to which it applies', async () => {
    expect(await refusedFor(await put('snapshot.json', '{ "blogs": [] }'))).toEqual([
      'skipBad: is a snapshot; skipBad (--skip-bad) applies to a folder of Markdown',
      'html: is a snapshot; html (--html) applies to a folder of Markdown',
      'allowMissing: is a snapshot; allowMissing (--allow-missing) applies to a folder of Markdown or a Ghost export',
      'root: is a snapshot; root (--root) applies to a folder of Markdown or a Ghost export',
      'name: is a snapshot; name (--name) applies to a folder of Markdown or a Ghost export',
    ]);
  });

  test('is refused for a Ghost export, alone or in a folder', async () => {
    const ghost = '{ "db": [{ "meta": {}, "data": { "posts": [] } }] }';
    for (const path of [await put('ghost.json', ghost), dirname(await put('site/ghost.json', ghost))]) {
      expect(await refusedFor(path)).toEqual([
        expect.stringContaining('skipBad: is a Ghost export; skipBad (--skip-bad) applies to a folder of Markdown'),
        expect.stringContaining('html: is a Ghost export'),
        'media: is a Ghost export; media (--media) applies to a snapshot',
      ]);
    }
  });

  test('is refused for a folder of Markdown', async () => {
    await put('posts/a.md', '---\ntitle: A\n---\n');
    expect(await refusedFor(join(folder, 'posts'))).toEqual([
      'media: is a folder of Markdown; media (--media) applies to a snapshot',
    ]);
  });
});

describe('a snapshot', () => {
  const post = { id: 'p', title: 'T', slug: 's' };

  test('a snapshot is returned unchanged', async () => {
    const snapshot = { blogs: [{ id: 'b', name: 'B', posts: [{ ...post, status: 'PUBLISHED' }] }] };
    const read = await readContent(await put('ok.json', JSON.stringify(snapshot)));
    expect(read).toEqual({ ok: true, snapshot, notes: [] });
  });

  test('all problems of a snapshot are reported together, each with its path', async () => {
    const blog = {
      id: 'b',
      name: 'B',
      domains: ['example.com', '*.example.com:8080', 'https://example.com', 'example.com:99999', 'a b'],
      categories: [
        { id: 'c', name: 'C' },
        { id: 'c', name: 'D' },
      ],
      posts: [
        { ...post, categoryIds: ['c', 'x'], tagIds: ['y'] },
        { ...post, id: 'q' },
        { ...post, slug: 'other', title: 'nul \u0000' },
      ],
      ads: [
        {
          id: '3e8c5c1e-8a3b-4b57-9d5b-0f4c8a6f2d11',
          format: 'BANNER',
          startsAt: '2026-02-01T00:00:00.000Z',
          endsAt: '2026-01-31T00:00:00.000Z',
        },
      ],
    };
    const blogs = [
      { ...blog, apiKeys: ['k1'] },
      { id: 'b', name: 'twice', apiKeys: ['k1', 'two\nlines'] },
    ];
    const problems = await problemsIn({ blogs });
    expect(problems.map((problem) => problem.split(': ')[0])).toEqual([
      'blogs.1.id',
      'blogs.0.domains.2',
      'blogs.0.domains.3',
      'blogs.0.domains.4',
      'blogs.0.categories.1.id',
      'blogs.0.posts.2.id',
      'blogs.0.posts.1.slug',
      'blogs.0.posts.0.categoryIds.1',
      'blogs.0.posts.0.tagIds.0',
      'blogs.0.ads.0.endsAt',
      'blogs.1.apiKeys.0',
      'blogs.1.apiKeys.1',
      'blogs.0.posts.2.title',
    ]);
    expect(problems[6]).toBe('blogs.0.posts.1.slug: "s" is taken by blogs.0.posts.0; choose another');
    expect(problems.join('\n')).not.toContain('k1');
  });

  test('a snapshot that violates its schema is refused', async () => {
    const posts = [{ id: 'p', slug: 's', status: 'LIVE', publishedAt: 'yesterday', colour: 'red' }];
    expect(await problemsIn({ blogs: [{ id: 'b', posts }] })).toEqual([
      'blogs.0.name: is required',
      'blogs.0.posts.0.title: is required',
      'blogs.0.posts.0.status: expected "PUBLISHED" or "DRAFT" or "SCHEDULED", received "LIVE"',
      expect.stringMatching(/^blogs\.0\.posts\.0\.publishedAt: expected an ISO 8601 date-time/),
      'blogs.0.posts.0: unknown: colour',
    ]);
  });

  test('a snapshot is refused together with a blog id, because it names its own blogs', async () => {
    const read = await readContent(await put('s.json', '{ "blogs": [] }'), { blog: 'other' });
    expect(read.ok).toBe(false);
  });

  test('any valid snapshot is read without changes', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
    const id = text.filter((value) => value !== '');
    const moment = fc
      .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const posts = fc.uniqueArray(
      fc.record(
        { id, title: text, slug: id, content: text, publishedAt: fc.option(moment) },
        { requiredKeys: ['id', 'title', 'slug'] },
      ),
      { selector: ({ id, slug }) => [id, slug], comparator: ([a, b], [c, d]) => a === c || b === d },
    );
    const blogs = fc.uniqueArray(fc.record({ id, name: text, posts }), { selector: ({ id }) => id, maxLength: 3 });
    for (const seed of seedsOf())
      await fc.assert(
        fc.asyncProperty(blogs, fc.constantFrom(undefined, 1, '\t'), async (generated, indent) => {
          const snapshot: SnapshotInput = { blogs: generated };
          const path = await put('any.json', JSON.stringify(snapshot, null, indent));
          const read = await readContent(path, { now: Date.parse('2100-01-02') });
          expect(read).toEqual({ ok: true, snapshot, notes: [] });
        }),
        { seed, numRuns: 50 },
      );
  });
});

test('a snapshot is imported unchanged, with a warning about published posts with a date in the future', async () => {
  const posts = [{ id: 'p', title: 'T', slug: 's', publishedAt: '2031-01-31T00:00:00.000Z' }];
  const path = await put('ahead.json', JSON.stringify({ blogs: [{ id: 'news', name: 'News', posts }] }));
  const read = await readContent(path, { now: Date.parse('2026-03-01') });
  expect(read).toMatchObject({
    snapshot: { blogs: [{ posts }] },
    notes: ['blog news, post p is PUBLISHED although its date is in the future: readers see it immediately'],
  });
  expect(await readContent(path, { skipBad: true })).toMatchObject({ ok: false, problems: [{ at: 'ahead.json' }] });
});

test('timestamps of every source have the format of the contract', async () => {
  await put('blog/2026-01-31-a.md', '---\ntitle: A\n---\n');
  const read = settled(await readContent(join(folder, 'blog')));
  const at = read.ok ? read.snapshot.blogs[0]?.posts?.[0]?.publishedAt : undefined;
  expect(validate(Timestamp, at)).toEqual({ ok: true, value: '2026-01-31T00:00:00.000Z' });
});

describe('an upload', () => {
  const upload = async (files: Record<string, string>, name = 'posts') => {
    const bytes = Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)] as const);
    const read = await readUpload(name, new Map(bytes), { blog: 'news' });
    return read.ok ? read.snapshot.blogs.flatMap(({ posts = [] }) => posts) : read.problems;
  };
  const post = (title: string) => `---\ntitle: ${title}\n---\nText`;

  test('an upload is read like the same folder on disk', async () => {
    await put('posts/a.md', post('A'));
    await put('posts/deep/b.md', post('B'));
    const onDisk = await readContent(join(folder, 'posts'), { blog: 'news' });
    const files = { 'deep/b.md': post('B'), 'a.md': post('A'), 'deep/c.txt': 'C', '.d.md': 'D' };
    expect(await upload(files)).toEqual(onDisk.ok && onDisk.snapshot.blogs[0]?.posts);
  });

  test('an uploaded folder gives the same ids as the folder on disk, regardless of its other files', async () => {
    const paths = ['posts/a.md', 'posts/deep/b.md', 'pages/about.md'];
    for (const path of paths) await put(`site/${path}`, post(path));
    const onDisk = await readContent(join(folder, 'site'), { blog: 'news' });
    const expected = onDisk.ok ? onDisk.snapshot.blogs[0]?.posts : [];
    for (const count of [1, 2, 3]) {
      const some = paths.slice(0, count);
      const uploaded = await upload(Object.fromEntries(some.map((path) => [`site/${path}`, post(path)])), 'site');
      const titles: readonly unknown[] = some;
      expect(uploaded).toEqual(expected?.filter(({ title }) => titles.includes(title)));
      expect(uploaded).toHaveLength(count);
    }
  });

  test('a folder around all files of an upload is not part of the paths', async () => {
    const plain = await upload({ 'a.md': post('A'), 'ab/b.md': post('B') });
    const zipped = {
      'x/a.md': post('A'),
      'x/ab/b.md': post('B'),
      '__MACOSX/x/._a.md': '',
      '.DS_Store': '',
    };
    expect(await upload(zipped)).toEqual(plain);
  });

  test('an upload may be one JSON file, with or without a folder around it', async () => {
    expect(await upload({ 'a.json': '{' })).toMatchObject([{ at: expect.stringMatching(/^a\.json:1:2/) }]);
    expect(await upload({ 'x/a.json': '{}' })).toMatchObject([{ at: 'a.json' }]);
  });

  test('an upload without content is refused under its name', async () => {
    const refused = [{ at: 'empty.zip', message: expect.stringContaining('has no .md') }];
    expect(await upload({}, 'empty.zip')).toEqual(refused);
    expect(await upload({ 'a.txt': '', 'b.txt': '' }, 'empty.zip')).toEqual(refused);
  });
});
