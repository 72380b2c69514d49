import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accept, Snapshot } from '@broadsheet/contract';
import { describe, expect, test } from 'vitest';
import { readContent } from '../src/index.ts';
import { checkSnapshot } from '../src/snapshot/snapshot-checks.ts';

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const present = existsSync(data);
if (!present) console.warn('\n*** SKIPPED: importers over real content: ../shared/data is not here ***\n');

describe.skipIf(!present)('real content', () => {
  test('the Node.js blog: 404 posts in 13 categories', async () => {
    const content = await readContent(`${data}nodejs-blog`);
    const blog = content.ok ? content.snapshot.blogs[0] : undefined;
    expect(content).toMatchObject({ ok: true });
    expect(blog).toMatchObject({ id: 'nodejs-blog' });
    expect(blog?.posts).toHaveLength(404);
    expect(blog?.categories).toHaveLength(13);
    expect(blog?.posts?.filter(({ publishedAt, title, content }) => !publishedAt || !title || !content)).toEqual([]);
    expect(blog?.posts?.find(({ slug }) => slug === 'v0.10.12')).toMatchObject({
      title: 'Node.js 0.10.12 (Stable)',
      subtitle: '2013.06.18, Version 0.10.12 (Stable)',
      publishedAt: '2013-06-18T18:12:19.000Z',
      authorId: 'The Node.js Project',
      categoryIds: ['release'],
    });
    expect(blog?.posts?.find(({ slug }) => slug === 'official-discord-launch-announcement')).toMatchObject({
      publishedAt: '2025-03-17T14:00:00.000Z',
    });
  });

  test('a Ghost 6 site: 241 posts, with drafts and scheduled ones', async () => {
    const content = await readContent(`${data}ghost-export.json`, { blog: 'ghost' });
    const posts = (content.ok ? content.snapshot.blogs[0]?.posts : undefined) ?? [];
    const count = (wanted: string): number => posts.filter(({ status }) => status === wanted).length;
    expect({ all: posts.length, draft: count('DRAFT'), scheduled: count('SCHEDULED') }).toEqual({
      all: 241,
      draft: 14,
      scheduled: 9,
    });
    expect(posts.every(({ status, scheduledAt }) => (status === 'SCHEDULED') === (scheduledAt !== null))).toBe(true);
    expect(content).toMatchObject({ notes: ['left out: 1 page: about'] });
  });

  test.each(['nodejs-blog', 'ghost-export.json'])('%s is a snapshot without contradictions', async (name) => {
    const content = await readContent(data + name);
    const read = accept(Snapshot, content.ok ? content.snapshot : undefined);
    expect(read.ok ? checkSnapshot(read.value.blogs) : read.fields).toEqual([]);
  });
});
