import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OperationError } from '@broadsheet/management';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { nameOf, withUnpacked } from './unpack.ts';

const zip = (files: Record<string, string | Uint8Array<ArrayBuffer>>, name = 'a.zip') => {
  const entries = Object.entries(files).map(([path, body]) => [path, typeof body === 'string' ? strToU8(body) : body]);
  return new File([zipSync(Object.fromEntries(entries)) as Uint8Array<ArrayBuffer>], name);
};
const names = async (path: string) => (await readdir(path, { recursive: true })).sort();

describe('withUnpacked', () => {
  it('expands a zip, without the folder around it, and leaves nothing behind', async () => {
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
    await expect(withUnpacked(files, names)).rejects.toThrow('leads outside the folder');
    await expect(withUnpacked([new File([], '')], names)).rejects.toThrow('No file was uploaded');
  });

  it.each(['../outside.md', '/etc/outside.md', 'posts/../../../outside.md'])(
    'refuses a file outside: %s',
    async (name) => {
      const target = join(dirname(import.meta.dirname), 'outside.md');
      const work = withUnpacked([zip({ [name]: 'x', 'posts/a.md': 'A' })], async (path) => names(path));
      // What begins with a slash lands inside.
      if (name.startsWith('/')) expect(await work).toContain('etc/outside.md');
      else await expect(work).rejects.toThrow(OperationError);
      expect(existsSync(target)).toBe(false);
    },
  );

  it('refuses a zip that expands to more than 128 MiB, by what it says of itself', async () => {
    const bomb = await patched({ a: 'text '.repeat(1000) }, { originalSize: 129 * 1024 * 1024 });
    await expect(withUnpacked([bomb], names)).rejects.toThrow('more than 128 MiB');
  });

  it('refuses entries that overlap and claim to be empty', async () => {
    const entry = new Uint8Array(1024 * 1024);
    const bomb = overlapping(entry, 600);
    expect(bomb.size).toBeLessThan(1.1 * 1024 * 1024);
    await expect(withUnpacked([bomb], names)).rejects.toThrow('more than 128 MiB');
  });

  it('expands no entry further than the zip says', async () => {
    const liar = await patched({ 'a.md': 'text '.repeat(100_000) }, { originalSize: 10 });
    await withUnpacked([liar], async (path) => expect((await readFile(join(path, 'a.md'))).length).toBe(10));
  });

  it('refuses a zip of more than 20,000 files', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`${index}.md`, '']));
    await expect(withUnpacked([zip(many)], names)).rejects.toThrow('more than 20,000 files');
  });

  it('refuses a broken zip and an empty one', async () => {
    const whole = new Uint8Array(await zip({ 'a.md': 'text '.repeat(1000) }).arrayBuffer());
    await expect(withUnpacked([new File([whole.slice(0, 5)], 'cut.zip')], names)).rejects.toThrow(OperationError);
    await expect(withUnpacked([new File([whole.fill(255, 40, 60)], 'broken.zip')], names)).rejects.toThrow(
      OperationError,
    );
    await expect(withUnpacked([zip({})], names)).rejects.toThrow(OperationError);
  });
});

const CENTRAL = Buffer.from('PK\x01\x02');

/** A zip whose only entry claims another size. */
async function patched(files: Record<string, string>, { originalSize }: { originalSize: number }): Promise<File> {
  const bytes = Buffer.from(await zip(files).arrayBuffer());
  bytes.writeUInt32LE(originalSize, bytes.indexOf(CENTRAL) + 24);
  return new File([bytes], 'a.zip');
}

/** A zip of entries that are all the same bytes, not compressed, and claim to be empty. */
function overlapping(body: Uint8Array<ArrayBuffer>, entries: number): File {
  const bytes = Buffer.from(zipSync({ a: [body, { level: 0 }] }));
  const start = bytes.indexOf(CENTRAL);
  const entry = bytes.subarray(start, start + 47);
  entry.writeUInt32LE(0, 24);
  const end = bytes.subarray(start + 47);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  return new File([bytes.subarray(0, start), ...Array.from({ length: entries }, () => entry), end], 'a.zip');
}
