import type { SnapshotPost } from '@broadsheet/contract';
import { describe, expect, test } from 'vitest';
import { settled } from '../../test/settled.ts';
import { readUpload } from '../index.ts';

const NOW = Date.parse('2026-06-01');
const bytes = (text: string) => new TextEncoder().encode(text);

async function read(files: Readonly<Record<string, string>>) {
  const uploaded = new Map(Object.entries({ ...files, 'z-open.md': post('date: 2020-01-01', 'Open') }));
  const upload = await readUpload('blog', new Map([...uploaded].map(([path, text]) => [path, bytes(text)])), {
    blog: 'news',
    now: NOW,
  });
  const content = settled(upload, NOW);
  if (!content.ok) throw new Error(JSON.stringify(content.problems));
  return content;
}

const post = (fields: string, title = 'A') => `---\ntitle: ${title}\n${fields}\n---\nText.\n`;

/** The post of one file with a date that is over, and the notes on it. */
async function one(text: string, path = 'a.md') {
  const { snapshot, notes } = await read({ [path]: text });
  const [blog] = snapshot.blogs;
  const found = blog?.posts?.find(({ title }) => title !== 'Open') as SnapshotPost | undefined;
  return { post: found, notes, blog };
}

describe('what a generator hides is not public', () => {
  test.each([
    ...['draft: true', 'Draft: True', 'DRAFT: yes', 'isDraft: true', 'is_draft: on', '_draft: 1', 'draft: "true"'],
    ...['published: false', 'publish: false', 'Published: No', 'isPublished: off', 'public: false', 'listed: no'],
    ...['private: true', 'hidden: true', 'unlisted: true', 'wip: true', 'headless: true', 'password: secret'],
    ...['visibility: private', 'visibility: members', 'status: draft', 'Status: Private', 'access: paid'],
    ...[
      'permalink: false',
      'eleventyExcludeFromCollections: true',
      'build: { render: never }',
      '_build:\n  list: never',
    ],
    ...['expiryDate: 2021-01-01', 'expires: 2021-01-01T00:00:00Z', 'extra:\n  draft: true', 'params: { private: yes }'],
  ])('%s', async (fields) => {
    expect((await one(post(`date: 2020-01-01\n${fields}`))).post).toMatchObject({ status: 'DRAFT', publishedAt: null });
  });

  test.each([
    ...['status: idea', 'visibility: friends', 'draft: maybe', 'published: soon', 'stage: draft', 'drfat: true'],
    ...['publishToWeb: false', 'draftNotes: unfinished', 'expiryDate: later', 'readerVisibility: 3', 'embargoNote: x'],
    ...['state: private', 'passwordHint: cat'],
  ])('%s is not understood, so the post is a draft and a note names the file', async (fields) => {
    const { post: found, notes } = await one(post(`date: 2020-01-01\n${fields}`));
    expect(found?.status).toBe('DRAFT');
    expect(notes).toContainEqual(
      expect.stringMatching(/may mean that a post is hidden: 1 post became a draft: a\.md$/),
    );
  });

  test.each([
    ...['draft: false', 'published: true', 'publish: yes', 'visibility: public', 'status: published', 'hidden: false'],
    ...['publisher: Acme', 'hide_title: true', 'hide_table_of_contents: true', 'state: CA', 'like: 3', 'private: no'],
    ...['draft:', 'published: 2020-01-02', 'publishDate: 2020-01-03', 'password:', 'comments: false', 'swipe: 1'],
    ...['expiryDate: 2099-01-01', 'category: Private life', 'build: { render: always }'],
  ])('%s hides nothing', async (fields) => {
    expect((await one(post(`date: 2020-01-01\n${fields}`))).post?.status).toBe('PUBLISHED');
  });

  test.each([
    ...['_drafts/a.md', 'drafts/a.md', 'posts/Drafts/deep/a.md', 'draft/a.md', 'a.draft.md', '_a.md', 'private/a.md'],
  ])('the path %s', async (path) => {
    expect((await one(post('date: 2020-01-01'), path)).post?.status).toBe('DRAFT');
  });

  test.each(['_posts/2020-01-01-a.md', 'craft/draft-beer.md', 'content/blog/a.md'])('%s is public', async (path) => {
    expect((await one(post('date: 2020-01-01'), path)).post?.status).toBe('PUBLISHED');
  });

  test.each(['publishDate', 'publish_date', 'releaseDate', 'embargo'])('a later %s schedules a post', async (field) => {
    const { post: found } = await one(post(`date: 2020-01-01\n${field}: 2099-01-01`));
    expect(found).toMatchObject({ status: 'SCHEDULED', publishedAt: null, scheduledAt: '2099-01-01T00:00:00.000Z' });
  });
});

describe('fields arrive under the names of each generator', () => {
  test.each([
    ...['date', 'publishedAt', 'published_at', 'pubDate', 'pubDatetime', 'datePublished', 'published', 'publishDate'],
    ...['created', 'createdAt', 'Date'],
  ])('%s is the date', async (field) => {
    expect((await one(post(`${field}: 2022-07-01`))).post?.publishedAt).toBe('2022-07-01T00:00:00.000Z');
  });

  test.each([
    ['author: Ann', 'Ann'],
    ['authors: [Ann, Bo]', 'Ann, Bo'],
    ['authors:\n  - name: Ann\n    url: https://a.example\n  - Bo', 'Ann, Bo'],
    ['extra:\n  author: Ann', 'Ann'],
  ])('%s is the author', async (fields, author) => {
    expect((await one(post(fields))).post?.authorId).toBe(author);
  });

  test.each([
    ...[
      'cover: C',
      'coverImage: C',
      'cover_image: C',
      'heroImage: C',
      'featured_image: C',
      'images: [C, D]',
      'ogImage: C',
    ],
    ...['image:\n  src: C', 'thumbnail: C'],
  ])('%s is the cover', async (fields) => {
    expect((await one(post(fields.replace('C', 'https://x.example/c.png')))).post?.coverUrl).toBe(
      'https://x.example/c.png',
    );
  });

  test.each(['lastmod', 'updated', 'updatedDate', 'last_modified_at', 'modDatetime', 'dateModified'])(
    '%s is the time of the last change',
    async (field) => {
      expect((await one(post(`${field}: 2022-07-01`))).post?.updatedAt).toBe('2022-07-01T00:00:00.000Z');
    },
  );

  test('last_update of Docusaurus contains the date', async () => {
    const { post: found } = await one(post('last_update:\n  date: 2022-07-01\n  author: Ann'));
    expect(found?.updatedAt).toBe('2022-07-01T00:00:00.000Z');
  });

  test.each(['subtitle', 'description', 'excerpt', 'summary', 'spoiler'])('%s is the subtitle', async (field) => {
    expect((await one(post(`${field}: Line`))).post?.subtitle).toBe('Line');
  });

  test('the taxonomies of Zola are tags and categories', async () => {
    const { blog } = await one('+++\ntitle = "A"\n[taxonomies]\ntags = ["rust", "go"]\ncategories = ["news"]\n+++\n');
    expect(blog?.tags?.map(({ name }) => name)).toEqual(['rust', 'go']);
    expect(blog?.categories?.map(({ name }) => name)).toEqual(['news']);
  });

  test.each([
    ['permalink: /2020/01/custom/', 'custom'],
    ['url: /old/custom.html', 'custom'],
    ['path: 2020/01/custom/index.html', 'custom'],
    ['permalink: https://old.example/a/caf%C3%A9?x#y', 'café'],
    ['slug: written\nurl: /old/custom', 'written'],
    ['permalink: /:year/:title/', 'a'],
    ['permalink: "{{ slug }}/index.html"', 'a'],
    ['permalink: /', 'a'],
  ])('%s gives the slug', async (fields, slug) => {
    expect((await one(post(fields))).post?.slug).toBe(slug);
  });

  test('texts that other readers take for values stay as written', async () => {
    const { post: found, blog } = await one('---\ntitle: True\ntags: ["Null", "~", No, 007]\n---\n');
    expect(found?.title).toBe('True');
    expect(blog?.tags?.map(({ name }) => name)).toEqual(['Null', '~', 'No', '007']);
  });
});

describe('headers', () => {
  test.each([
    ['Pelican', 'Title: A: b\nDate: 2013-11-28 11:04\nTags: x, y\nSummary: One\n  two\n\nText.\n'],
    [
      'MultiMarkdown, with CRLF',
      'title: A: b\r\ndate: 2013-11-28 11:04\r\ntags: x, y\r\nsummary: One two\r\n\r\nText.\n',
    ],
    ['Hexo', 'title: "A: b"\ndate: 2013-11-28 11:04\ntags: [x, y]\nsummary: One two\n---\nText.\n'],
    ['JSON', '{\n"title": "A: b",\n"date": "2013-11-28 11:04",\n"tags": ["x", "y"],\n"summary": "One two"\n}\nText.\n'],
    [
      'JSON of Hexo',
      ';;;\n"title": "A: b",\n"date": "2013-11-28 11:04",\n"tags": ["x", "y"],\n"summary": "One two"\n;;;\nText.\n',
    ],
    [
      'TOML in another fence',
      '---toml\ntitle = "A: b"\ndate = "2013-11-28 11:04"\ntags = ["x", "y"]\nsummary = "One two"\n---\nText.\n',
    ],
    [
      'YAML that ends with dots',
      '---\ntitle: "A: b"\ndate: 2013-11-28 11:04\ntags: [x, y]\nsummary: One two\n...\nText.\n',
    ],
  ])('%s', async (_, text) => {
    const { post: found, blog } = await one(text);
    expect(found).toMatchObject({
      title: 'A: b',
      publishedAt: '2013-11-28T11:04:00.000Z',
      subtitle: 'One two',
      content: 'Text.\n',
    });
    expect(blog?.tags?.map(({ name }) => name)).toEqual(['x', 'y']);
  });

  test.each([
    ['# From the *heading*\n\nText.', 'a note.md', 'From the heading'],
    ['Just text.', 'My note.md', 'My note'],
    ['Note: this is a text.\nIt goes on.', 'b.md', 'b'],
    ['---\n\nA rule first.', 'c.md', 'c'],
  ])('a note without fields is a draft with a title: %s', async (text, path, title) => {
    const { post: found, notes } = await one(text, path);
    expect(found).toMatchObject({ title, status: 'DRAFT', content: text });
    expect(notes.join('\n')).toContain(
      `neither a title nor a date may mean that a post is hidden: 1 post became a draft: ${path}`,
    );
  });
});

test('pages, sections and documents about the folder are left out and named', async () => {
  const { snapshot, notes } = await read({
    'posts/_index.md': '---\ntitle: Posts\n---\n',
    'posts/_index.de.md': '---\ntitle: Artikel\n---\n',
    'about.md': post('layout: page'),
    'tags/index.md': post('type: tags'),
    '404.md': post(''),
    'README.md': '# How to build\n',
    'posts/story.md': post('type: post\nlayout: article\ndate: 2020-01-01', 'Story'),
  });
  expect(snapshot.blogs[0]?.posts?.map(({ title }) => title)).toEqual(['Story', 'Open']);
  expect(notes.slice(0, 3)).toEqual([
    'left out: 3 pages: 404.md, about.md, tags/index.md',
    'left out: 1 document about the folder: README.md',
    'left out: 2 sections: posts/_index.de.md, posts/_index.md',
  ]);
});

test('a published post keeps its slug before a draft that sets the same one', async () => {
  const { snapshot } = await read({
    'a.md': post('slug: same\ndraft: true', 'Draft'),
    'b/same.md': post('date: 2020-01-01', 'Live'),
  });
  const slugs = snapshot.blogs[0]?.posts?.map(({ title, slug }) => [title, slug]);
  expect(slugs).toContainEqual(['Live', 'same']);
});
