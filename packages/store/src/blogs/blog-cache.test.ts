import { describe, expect, test } from 'vitest';
import { cacheBlogs } from './blog-cache.ts';

function setup(revisions: Record<string, string>) {
  let epoch = 1;
  const read: string[] = [];
  const { get, peek, forget } = cacheBlogs(
    () => epoch,
    async (key) => {
      read.push(key);
      if (key === 'broken') throw new Error('no database');
      const revision = revisions[key];
      return revision === undefined ? undefined : { id: revision.slice(0, 1), domains: [], revision };
    },
  );
  const cache = { forget, get: async (key: string) => (await get(key))?.revision };
  return { cache, peek, read, pass: () => (epoch += 1) };
}

describe('the cache of blogs', () => {
  test('a blog is read once, even by concurrent requests', async () => {
    const { cache, peek, read } = setup({ a: 'A' });
    expect(peek('a')).toBeUndefined();
    expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['A', 'A']);
    expect(peek('a')).toMatchObject({ id: 'A' });
    expect(read).toEqual(['a']);
  });

  test('a blog is read again after a write of this process, or a possible write of another', async () => {
    const revisions = { a: 'A' };
    const { cache, peek, read, pass } = setup(revisions);
    await cache.get('a');
    revisions.a = 'B';
    pass();
    expect(peek('a')).toBeUndefined();
    expect(await cache.get('a')).toBe('B');
    revisions.a = 'C';
    cache.forget();
    expect(await cache.get('a')).toBe('C');
    expect(read).toHaveLength(3);
  });

  test('a forgotten blog is read again, and the others stay cached', async () => {
    const revisions: Record<string, string> = { a: 'A', b: 'B', c: 'A2' };
    const { cache, read } = setup(revisions);
    for (const key of ['a', 'b', 'c']) await cache.get(key);
    revisions['a'] = 'B2';
    cache.forget('A');
    for (const key of ['a', 'b', 'c']) await cache.get(key);
    expect(read).toEqual(['a', 'b', 'c', 'a', 'c']);
    cache.forget('B');
    expect(await cache.get('a')).toBe('B2');
    expect(read.slice(5)).toEqual(['a']);
  });

  test('the result of a read is not cached if something was forgotten during the read', async () => {
    const { cache, read } = setup({ a: 'A' });
    const first = cache.get('a');
    cache.forget('possibly another blog');
    expect(await first).toBe('A');
    expect(await cache.get('a')).toBe('A');
    expect(read).toEqual(['a', 'a']);
  });

  test('an unknown key and a failed read are not cached', async () => {
    const { cache, read } = setup({});
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await cache.get('nobody')).toBeUndefined();
      await expect(cache.get('broken')).rejects.toThrow('no database');
    }
    expect(read).toEqual(['nobody', 'broken', 'nobody', 'broken']);
  });
});
