import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { NotUnpacked, nameOf, withUnpacked } from './unpack.ts';

const zip = (files: Record<string, string | Uint8Array<ArrayBuffer>>, name = 'a.zip') => {
  const entries = Object.entries(files).map(([path, body]) => [path, typeof body === 'string' ? strToU8(body) : body]);
  return new File([zipSync(Object.fromEntries(entries)) as Uint8Array<ArrayBuffer>], name);
};
const names = async (path: string) => (await readdir(path, { recursive: true })).sort();

describe('withUnpacked', () => {
  it('unfolds a zip, without the folder around it, and leaves nothing behind', async () => {
    let seen = '';
    await withUnpacked([zip({ 'posts/a.md': 'A', 'posts/deep/b.md': 'B', '__MACOSX/._a.md': '' })], async (path) => {
      seen = path;
      expect(basename(path)).toBe('posts');
      expect(await names(path)).toEqual(['a.md', 'deep', 'deep/b.md']);
      expect(await readFile(join(path, 'deep/b.md'), 'utf8')).toBe('B');
    });
    expect(existsSync(seen)).toBe(false);
  });

  it('hands over any other file as it is, under a harmless name', () =>
    withUnpacked([new File(['{}'], '..\\etc passwd.json')], async (path) => {
      expect(basename(path)).toBe('.._etc_passwd.json');
      expect(await readdir(dirname(path))).toEqual([basename(path)]);
    }));

  it('puts a folder together again from files that are named by their paths', async () => {
    const files = ['posts/a.md', 'posts/deep/b.md'].map((name) => new File([name], name));
    expect(nameOf(files)).toBe('posts');
    await withUnpacked(files, async (path) => {
      expect(basename(path)).toBe('posts');
      expect(await names(path)).toEqual(['a.md', 'deep', 'deep/b.md']);
      expect(await readFile(join(path, 'deep/b.md'), 'utf8')).toBe('posts/deep/b.md');
    });
    const alone = [new File(['A'], 'posts/a.md')];
    await withUnpacked(alone, async (path) => expect(await names(path)).toEqual(['a.md']));
  });

  it('refuses files outside of their folder, and nothing at all', async () => {
    const files = [new File(['x'], 'posts/../../../outside.md'), new File(['A'], 'posts/a.md')];
    await expect(withUnpacked(files, names)).rejects.toThrow('outside of the folder');
    await expect(withUnpacked([new File([], '')], names)).rejects.toThrow('Nothing was sent');
  });

  it.each(['../outside.md', '/etc/outside.md', 'posts/../../../outside.md'])(
    'refuses a file outside: %s',
    async (name) => {
      const target = join(dirname(import.meta.dirname), 'outside.md');
      const work = withUnpacked([zip({ [name]: 'x', 'posts/a.md': 'A' })], async (path) => names(path));
      // What begins with a slash lands inside.
      if (name.startsWith('/')) expect(await work).toContain('etc/outside.md');
      else await expect(work).rejects.toThrow(NotUnpacked);
      expect(existsSync(target)).toBe(false);
    },
  );

  it('refuses what unfolds to more than it may, a broken zip and an empty one', async () => {
    const bomb = zip({ bomb: new Uint8Array(257 * 1024 * 1024) });
    expect(bomb.size).toBeLessThan(1024 * 1024);
    await expect(withUnpacked([bomb], names)).rejects.toThrow('more than 256 MiB');
    const whole = new Uint8Array(await zip({ 'a.md': 'text '.repeat(1000) }).arrayBuffer());
    await expect(withUnpacked([new File([whole.slice(0, 5)], 'cut.zip')], names)).rejects.toThrow(NotUnpacked);
    await expect(withUnpacked([new File([whole.fill(255, 40, 60)], 'broken.zip')], names)).rejects.toThrow(NotUnpacked);
    await expect(withUnpacked([zip({})], names)).rejects.toThrow(NotUnpacked);
  });
});
