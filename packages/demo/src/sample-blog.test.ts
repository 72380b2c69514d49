import { AD_FORMATS, accept, Snapshot } from '@broadsheet/contract';
import { describe, expect, it } from 'vitest';
import { sampleBlog } from './sample-blog.ts';

const now = Date.parse('2026-11-21T00:30:00Z');
const input = sampleBlog({ now, url: 'http://127.0.0.1:4500', apiKey: 'key', domains: ['localhost'] });

describe('sampleBlog', () => {
  const read = accept(Snapshot, { blogs: [input] });
  const blog = read.ok ? read.value.blogs[0] : undefined;
  if (!blog) throw new Error('The snapshot lost its blog.');

  it('is a snapshot with valid references and unique slugs and ids', () => {
    const tags = new Set(blog.tags.map(({ id }) => id));
    expect(blog.posts.flatMap(({ tagIds }) => tagIds).filter((id) => !tags.has(id))).toEqual([]);
    expect(new Set(blog.posts.map(({ slug }) => slug)).size).toBe(blog.posts.length);
    expect(new Set(blog.ads.map(({ id }) => id)).size).toBe(blog.ads.length);
    for (const tag of tags)
      expect(
        blog.posts.some(({ tagIds }) => tagIds.includes(tag)),
        tag,
      ).toBe(true);
  });

  it('has at least two running ads of every format, one paused ad and one that has not started', () => {
    for (const format of AD_FORMATS) {
      const running = blog.ads.filter((ad) => ad.format === format && ad.active && ad.startsAt === null);
      expect(running.length, format).toBeGreaterThan(1);
    }
    expect(blog.ads.filter(({ active }) => !active)).toHaveLength(1);
    expect(blog.ads.filter(({ startsAt }) => startsAt !== null && Date.parse(startsAt) > now)).toHaveLength(1);
  });

  it('has no post published in the future, even just after midnight, but a draft and a scheduled post', () => {
    const published = blog.posts.filter(({ status }) => status === 'PUBLISHED');
    expect(published.length).toBeGreaterThan(20);
    for (const { publishedAt } of published) expect(Date.parse(publishedAt ?? '')).toBeLessThan(now);
    expect(blog.posts.filter(({ status }) => status === 'DRAFT')).toHaveLength(1);
    const scheduled = blog.posts.filter(({ status }) => status === 'SCHEDULED');
    expect(scheduled.map(({ scheduledAt }) => Date.parse(scheduledAt ?? '') > now)).toEqual([true]);
  });
});
