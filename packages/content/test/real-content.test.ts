import { mkdir, writeFile } from 'node:fs/promises';
import { accept, Snapshot } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { readContent } from '../src/index.ts';
import { checkSnapshot } from '../src/snapshot/snapshot-checks.ts';
import { settled } from './settled.ts';

// Small, and written as sites of years write it: releases with dots in their slugs, dates in several forms, folders as
// categories, drafts, pages.

const folder = temporaryFolder();

const POSTS = {
  'release/v0.10.12.md': `---
date: 2013-06-18T18:12:19.000Z
author: The Project
slug: v0.10.12
title: Project 0.10.12 (Stable)
layout: blog-post.hbs
category: release
---

2013.06.18, Version 0.10.12 (Stable)

* parser: make the \`Host\` header optional
`,
  'announcements/chat-launch.md': `---
date: '2025-03-17T10:00:00.000-04:00'
category: announcements
title: "We have a chat: join us"
layout: blog-post
author: Ada, Ben
---

## Come in

![A picture](https://images.example/chat.png)
`,
  'vulnerability/june-2014.md': `---
date: 2014-06-16
title: 'OpenSSL & "breaking" UTF-8 change'
category: vulnerability
draft: true
---
`,
};

async function writePosts(): Promise<string> {
  for (const [name, text] of Object.entries(POSTS)) {
    await mkdir(folder.join('old-blog', name, '..'), { recursive: true });
    await writeFile(folder.join('old-blog', name), text);
  }
  return folder.join('old-blog');
}

const ghostPost = (number: number, more: object) => ({
  ...{ id: `${number}`, uuid: `00000000-0000-4000-8000-00000000000${number}`, title: `Post ${number}` },
  ...{ slug: `post-${number}`, html: `<p>Text ${number}</p>`, type: 'post', status: 'published' },
  ...{ published_at: '2025-03-01T09:00:00.000Z', created_at: '2025-02-01T09:00:00.000Z' },
  ...{ updated_at: '2025-03-02T09:00:00.000Z', ...more },
});
const GHOST = {
  db: [
    {
      meta: { exported_on: 1_750_000_000_000, version: '6.0.1' },
      data: {
        posts: [
          ghostPost(1, {}),
          ghostPost(2, { status: 'draft', published_at: null }),
          ghostPost(3, { status: 'scheduled', published_at: '2099-01-01T00:00:00.000Z' }),
          ghostPost(4, { type: 'page', slug: 'about', title: 'About' }),
        ],
        tags: [{ id: 't', name: 'News', slug: 'news', visibility: 'public' }],
        posts_tags: [{ id: 'pt', post_id: '1', tag_id: 't', sort_order: 0 }],
        users: [{ id: 'u', name: 'Ada', slug: 'ada', email: 'ada@news.example' }],
        posts_authors: [{ id: 'pa', post_id: '1', author_id: 'u', sort_order: 0 }],
      },
    },
  ],
};

async function writeGhost(): Promise<string> {
  await writeFile(folder.join('ghost.json'), JSON.stringify(GHOST));
  return folder.join('ghost.json');
}

test('a folder of an old blog: releases, time zones, folders and drafts', async () => {
  const content = await readContent(await writePosts());
  expect(content).toMatchObject({ ok: true });
  const [blog] = content.ok ? content.snapshot.blogs : [];
  expect(blog).toMatchObject({ id: 'old-blog', categories: { length: 3 }, posts: { length: 3 } });
  const bySlug = new Map(blog?.posts?.map((post) => [post.slug, post]));
  expect(bySlug.get('v0.10.12')).toMatchObject({
    ...{ title: 'Project 0.10.12 (Stable)', subtitle: '2013.06.18, Version 0.10.12 (Stable)' },
    ...{ publishedAt: '2013-06-18T18:12:19.000Z', authorId: 'The Project', categoryIds: ['release'] },
  });
  expect(bySlug.get('chat-launch')).toMatchObject({ publishedAt: '2025-03-17T14:00:00.000Z' });
  expect(bySlug.get('june-2014')).toMatchObject({ status: 'DRAFT', title: 'OpenSSL & "breaking" UTF-8 change' });
});

test('a site of Ghost 6: a draft, a scheduled post, and a page, which is left out', async () => {
  const content = await readContent(await writeGhost(), { blog: 'ghost' });
  const posts = (content.ok ? content.snapshot.blogs[0]?.posts : undefined) ?? [];
  expect(posts.map(({ slug, status }) => `${slug} ${status}`).sort()).toEqual([
    'post-1 PUBLISHED',
    'post-2 DRAFT',
    'post-3 SCHEDULED',
  ]);
  expect(content).toMatchObject({ notes: ['left out: 1 page: about'] });
});

test.each([
  ['a folder', writePosts],
  ['a Ghost export', writeGhost],
])('%s is a snapshot without contradictions', async (_, write) => {
  const content = settled(await readContent(await write()));
  const read = accept(Snapshot, content.ok ? content.snapshot : undefined);
  expect(read.ok ? checkSnapshot(read.value.blogs) : read.fields).toEqual([]);
});
