import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SnapshotBlogInput } from '@broadsheet/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { settled } from '../../test/settled.ts';
import { readContent } from '../index.ts';
import type { ReadContentOptions } from '../noted-snapshot.ts';

let root = '';
beforeEach(() => {
  root = temporaryFolder().path;
});

type Files = Readonly<Record<string, string>>;

async function read(files: Files, { now, ...options }: ReadContentOptions = {}) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return settled(await readContent(root, { blog: 'news', ...options }), now);
}

async function blogOf(files: Files): Promise<SnapshotBlogInput & { notes: readonly string[] }> {
  const content = await read(files);
  const blog = content.ok ? content.snapshot.blogs[0] : undefined;
  if (!content.ok || !blog) throw new Error(JSON.stringify(content));
  return { ...blog, notes: content.notes };
}

const problemsOf = async (files: Files): Promise<readonly string[]> => {
  const content = await read(files);
  return content.ok ? [] : content.problems.map(({ at, message }) => `${at}: ${message}`);
};

describe('front matter', () => {
  test('names and titles that no store accepts are reported with the file', async () => {
    const long = 'x'.repeat(1001);
    expect(
      await problemsOf({ 'a.md': `---\ntitle: ${long}\ntags: [good, ${long}]\nslug: ${long}\n---\nText` }),
    ).toEqual([
      'a.md: title must be at most 1000 characters long',
      'a.md: slug must be at most 500 bytes long',
      'a.md: tags.1 must be at most 200 characters long',
    ]);
  });

  test('a file with front matter in YAML becomes a post', async () => {
    const text =
      '---\ntitle: "Hello: world"\ndescription: A line\nslug: hi\ndate: 2026-01-31T09:00:00+01:00\ncategory: News\n' +
      'tags: [1.10, Ünder, under, "C++"]\nauthor: { name: Ada }\ncover: { src: /a.png }\nlayout: post\n---\r\n\n# Body\r\n';
    const { posts, categories, tags } = await blogOf({ 'a/hello.md': text });
    expect(posts).toEqual([
      {
        id: expect.stringMatching(/^a-hello-[\da-f]{8}$/),
        title: 'Hello: world',
        subtitle: 'A line',
        content: '\n# Body\r\n',
        slug: 'hi',
        status: 'PUBLISHED',
        publishedAt: '2026-01-31T08:00:00.000Z',
        scheduledAt: null,
        authorId: 'Ada',
        coverUrl: '/a.png',
        categoryIds: ['news'],
        tagIds: [expect.stringMatching(/^1-10-/), 'under', expect.stringMatching(/^c-[\da-f]{8}$/)],
      },
    ]);
    expect(categories).toEqual([{ id: 'news', name: 'News' }]);
    expect(tags?.map(({ name }) => name)).toEqual(['1.10', 'Ünder', 'C++']);
  });

  test('a file with front matter in TOML becomes a post', async () => {
    const { posts } = await blogOf({
      'b.markdown': '+++\ntitle = "T"\nexcerpt = "E"\ndate = 2026-01-31T09:00:00Z\ncategories = ["A", "B"]\n+++\nbody',
      'c.md': '+++\ntitle = "U"\ndate = 2026-02-01\n+++\nFirst. Second.',
    });
    expect(posts).toMatchObject([
      { subtitle: 'E', slug: 'b', publishedAt: '2026-01-31T09:00:00.000Z', content: 'body', categoryIds: ['a', 'b'] },
      { subtitle: 'First.', publishedAt: '2026-02-01T00:00:00.000Z' },
    ]);
  });

  test('front matter marks drafts and scheduled posts', async () => {
    const { posts } = await blogOf({
      '1.md': '---\ntitle: A\ndraft: true\ndate: 2026-01-01\n---\n',
      '2.md': '---\ntitle: B\nscheduledAt: 2030-01-01\n---\n',
      '3.md': '---\ntitle: C\ndraft: false\n---\n',
    });
    expect(posts).toMatchObject([
      { status: 'DRAFT', publishedAt: null },
      { status: 'SCHEDULED', publishedAt: null, scheduledAt: '2030-01-01T00:00:00.000Z' },
      { status: 'PUBLISHED', publishedAt: null },
    ]);
  });

  test('one field that marks a post as a draft overrides fields that publish it', async () => {
    const fields = [
      'published: false',
      'status: draft',
      'status: DRAFT\npublished: true',
      'draft: true\nstatus: published',
    ]
      .concat(['published: no\nscheduledAt: 2030-01-01', 'published: true\nstatus: published', 'published: 2026-01-31'])
      .concat(['status: scheduled\nscheduledAt: 2030-01-01']);
    const files = Object.fromEntries(fields.map((text, index) => [`${index}.md`, `---\ntitle: A\n${text}\n---\n`]));
    const { posts } = await blogOf(files);
    expect(posts?.map(({ status }) => status)).toEqual([
      'DRAFT',
      'DRAFT',
      'DRAFT',
      'DRAFT',
      'DRAFT',
      'PUBLISHED',
      'PUBLISHED',
      'SCHEDULED',
    ]);
    expect(posts?.[6]?.publishedAt).toBe('2026-01-31T00:00:00.000Z');
  });

  test('every field that is not read is noted once, with the number of files', async () => {
    const { notes } = await blogOf({
      'a.md': '---\ntitle: A\ndarft: true\nlayout: post\nweight: 3\n---\n',
      'b.md': '---\ntitle: B\ndarft: true\npublished_at: 2026-01-31\n---\n',
      'c.md': '---\ntitle: C\ntags: [x]\ntag: y\nmood: fine\n---\n',
    });
    expect(notes).toEqual([
      'the field "darft" may mean that a post is hidden: 2 posts became drafts: a.md, b.md',
      'the field "darft" is not read (2 files, the first is a.md); did you mean "draft"?',
      'fields that are not read: "weight" (a.md), "mood" (c.md)',
    ]);
  });

  test('invalid front matter is refused with file and line, for all files in one report', async () => {
    expect(
      await problemsOf({
        'bad.md': '---\ntitle: [A\n---\n',
        'date.md': '---\ntitle: A\ndate: next week\n---\n',
        'good.md': '---\ntitle: A\n---\n',
        'no-end.md': '---\ntitle: A\n',
        'code.mdx': 'import x from "y";\n\nexport const meta = { title: "A" };\n',
        'script.md': '---js\n{ title: "A" }\n---\n',
        'scheduled.md': '---\ntitle: A\nstatus: scheduled\n---\n',
        'toml.md': '+++\ntitle = "A"\nx = = 1\n+++\n',
      }),
    ).toEqual([
      expect.stringMatching(/^bad\.md:\d:\d+: the front matter is not YAML: /),
      expect.stringMatching(/^code\.mdx:1: keeps its fields in JavaScript/),
      'date.md:3: date: expected a date such as 2026-01-31 or 2026-01-31T09:00:00Z, received "next week"',
      'no-end.md:1: the front matter has no end; close it with a line "---"',
      'scheduled.md:3: status: is scheduled; add a line "scheduledAt: …"',
      expect.stringMatching(/^script\.md:1: keeps its fields in JavaScript/),
      expect.stringMatching(/^toml\.md:3:\d+: the front matter is not TOML: /),
    ]);
  });
});

test('a body is stored as written, or as HTML on request', async () => {
  const files = { 'a.md': '---\ntitle: A\n---\n# Hello\n\n*there*\n' };
  for (const [html, content] of [
    [false, '# Hello\n\n*there*\n'],
    [true, '<h1>Hello</h1>\n<p><em>there</em></p>\n'],
  ] as const) {
    const found = await read(files, { html });
    expect(found.ok && found.snapshot.blogs[0]?.posts).toMatchObject([{ content, subtitle: 'there' }]);
  }
});

describe('names and paths', () => {
  test('a file name gives a post its slug, date and id, which are the same at every import', async () => {
    const files = { 'x/2026-01-31-hello.md': '---\ntitle: A\n---\n', 'bundle/index.md': '---\ntitle: B\n---\n' };
    const first = await blogOf(files);
    expect(first.posts).toMatchObject([{ slug: 'bundle' }, { slug: 'hello', publishedAt: '2026-01-31T00:00:00.000Z' }]);
    expect(await blogOf({ ...files, 'aaa.md': '---\ntitle: New\n---\n' })).toMatchObject({
      posts: [{ slug: 'aaa' }, { id: first.posts?.[0]?.id }, { id: first.posts?.[1]?.id }],
    });
  });

  test('slugs that clash are made unique in the same way at every import, with a note', async () => {
    const { posts, notes } = await blogOf({
      'a/same.md': '---\ntitle: A\n---\n',
      'b/same.md': '---\ntitle: B\nslug: same\n---\n',
      'c/same.md': '---\ntitle: C\n---\n',
    });
    expect(posts?.map(({ slug }) => slug)).toEqual(['a-same', 'same', 'c-same']);
    expect(notes).toEqual([
      'a/same.md: the slug "same" is taken by b/same.md; this post is "a-same"',
      'c/same.md: the slug "same" is taken by b/same.md; this post is "c-same"',
    ]);
  });
});

test('a folder without posts is refused; hidden folders and other files are ignored', async () => {
  expect(await problemsOf({ '.git/x.md': 'x', 'node_modules/y.md': 'y', 'z.txt': 'z' })).toEqual([
    expect.stringContaining('has no .md, .mdx or .markdown file'),
  ]);
});

test('a symbolic link to a file is read; a link to a folder is not followed, with a note', async () => {
  const elsewhere = temporaryFolder();
  await elsewhere.write({ 'guest.md': '---\ntitle: Guest\n---\n' });
  await symlink(elsewhere.join('guest.md'), join(root, 'linked.md'));
  await symlink(elsewhere.path, join(root, 'guests'));
  await symlink('.', join(root, 'back'));
  const { posts, notes } = await blogOf({ 'own.md': '---\ntitle: Own\n---\n' });
  expect(posts?.map(({ title }) => title)).toEqual(['Guest', 'Own']);
  const note = 'is a link to a folder and was not followed: its posts are not included';
  expect(notes).toEqual([`back ${note}`, `guests ${note}`]);
});

test('progress is reported after each file, including the last', async () => {
  await read({ 'a.md': '---\ntitle: A\n---\n', 'b.md': '---\ntitle: B\n---\n' });
  const reported: [number, number][] = [];
  await readContent(root, { onProgress: (done, all) => reported.push([done, all]) });
  expect(reported).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

describe('real content', () => {
  test('a post with an invalid date takes the date in its file name, with a note', async () => {
    const { posts, notes } = await blogOf({
      '_posts/2015-03-05-hello.markdown': '---\nlayout: post\ntitle: Hello\ndate: Thu Mar 5 14:59 2015\n---\nText.',
    });
    expect(posts).toMatchObject([{ slug: 'hello', publishedAt: '2015-03-05T00:00:00.000Z' }]);
    expect(notes).toEqual([
      '_posts/2015-03-05-hello.markdown:4: date: expected a date such as 2026-01-31 or 2026-01-31T09:00:00Z, received "Thu Mar 5 14:59 2015"; using the date in the file name',
    ]);
    expect(await problemsOf({ '_posts/undated.md': '---\ntitle: T\ndate: soon\n---\n' })).toEqual([
      '_posts/undated.md:3: date: expected a date such as 2026-01-31 or 2026-01-31T09:00:00Z, received "soon"',
    ]);
  });

  test('unusable files are reported one by one, and skipBad imports the rest', async () => {
    const files = {
      'broken.md': '---\ntitle: [A\n---\nText.',
      '2015-03-05-good.md': '---\ntitle: Good\n---\nText.',
      'undated.md': '---\ntitle: A\ndate: soon\n---\nText.',
    };
    const places = ['broken.md:2:10', 'undated.md:3'];
    const refused = await read(files);
    expect(refused.ok ? [] : refused.problems.map(({ at }) => at)).toEqual(places);
    const content = await read(files, { skipBad: true });
    if (!content.ok) throw new Error(JSON.stringify(content));
    expect(content.snapshot.blogs[0]?.posts).toMatchObject([{ title: 'Good' }]);
    expect(content.skipped?.map(({ at }) => at)).toEqual(places);
  });

  test('skipBad still refuses a folder without a usable file', async () => {
    expect((await read({ 'a.md': '---\ntitle: [A' }, { skipBad: true })).ok).toBe(false);
  });

  test('a post with a date in the future is scheduled, with a note', async () => {
    const files = {
      'a.md': '---\ntitle: A\ndate: 2031-01-31\n---\n',
      'b.md': '---\ntitle: B\ndate: 2025-01-31\n---\n',
    };
    const content = await read(files, { now: Date.parse('2026-03-01') });
    if (!content.ok) throw new Error(JSON.stringify(content));
    expect(content.snapshot.blogs[0]?.posts).toMatchObject([
      { title: 'A', status: 'SCHEDULED', publishedAt: null, scheduledAt: '2031-01-31T00:00:00.000Z' },
      { title: 'B', status: 'PUBLISHED', publishedAt: '2025-01-31T00:00:00.000Z' },
    ]);
    expect(content.notes).toEqual(['a.md is dated in the future and was scheduled for its date']);
    const later = await read(files, { now: Date.parse('2031-02-01') });
    expect(later.ok && later.snapshot.blogs[0]?.posts?.[0]).toMatchObject({ status: 'PUBLISHED' });
  });
});

test('two files whose names differ only in their Unicode normalization form are refused', async () => {
  const [composed, decomposed] = ['caf\u00e9.md', 'cafe\u0301.md'];
  const content = await read({ [composed]: '---\ntitle: One\n---\n', [decomposed]: '---\ntitle: Two\n---\n' });
  expect(content).toMatchObject({
    ok: false,
    problems: [{ message: expect.stringMatching(/in another Unicode form; rename one/) }],
  });
  const lenient = await read({}, { skipBad: true });
  expect(lenient.ok && [lenient.snapshot.blogs[0]?.posts?.length, lenient.skipped?.length]).toEqual([1, 1]);
});
