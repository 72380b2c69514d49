import { OperationError } from '@broadsheet/management';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { nameOf, unpack } from './unpack.ts';

const zip = (files: Record<string, string | Uint8Array<ArrayBuffer>>, name = 'a.zip') => {
  const entries = Object.entries(files).map(([path, body]) => [path, typeof body === 'string' ? strToU8(body) : body]);
  return new File([zipSync(Object.fromEntries(entries)) as Uint8Array<ArrayBuffer>], name);
};
const textsIn = async (files: readonly File[]) =>
  [...(await unpack(files))].map(([path, body]) => [path, new TextDecoder().decode(body)]);

describe('unpack', () => {
  it('returns the files of a zip by their paths', async () => {
    const zipped = zip({ 'posts/a.md': 'A', 'posts/deep/b.md': 'B', 'posts/empty/': '' });
    expect(await textsIn([zipped])).toEqual([
      ['posts/a.md', 'A'],
      ['posts/deep/b.md', 'B'],
    ]);
  });

  it('returns any other file unchanged, and the files of a folder by their paths', async () => {
    expect(await textsIn([new File(['{}'], 'export.json')])).toEqual([['export.json', '{}']]);
    const files = ['posts/a.md', 'posts/deep/b.md'].map((name) => new File([name], name));
    expect(nameOf(files)).toBe('posts');
    expect(await textsIn(files)).toEqual(files.map(({ name }) => [name, name]));
    await expect(unpack([new File([], '')])).rejects.toThrow('No file was uploaded');
  });

  it('returns no path that leads outside the folder', async () => {
    const names = ['../outside.md', '/etc/outside.md', 'posts/../../../outside.md'];
    for (const [index, name] of names.entries()) {
      const inside = index === 1 ? 'etc/outside.md' : 'outside.md';
      expect(await textsIn([zip({ [name]: 'x', 'posts/a.md': 'A' })])).toContainEqual([inside, 'x']);
    }
  });

  it('refuses a zip that declares more than 128 MiB of expanded files', async () => {
    const bomb = await patched({ a: 'text '.repeat(1000) }, { originalSize: 129 * 1024 * 1024 });
    await expect(unpack([bomb])).rejects.toThrow('more than 128 MiB');
  });

  it('refuses entries that overlap and claim to be empty', async () => {
    const entry = new Uint8Array(1024 * 1024);
    const bomb = overlapping(entry, 600);
    expect(bomb.size).toBeLessThan(1.1 * 1024 * 1024);
    await expect(unpack([bomb])).rejects.toThrow('more than 128 MiB');
  });

  it('expands no entry beyond its declared size', async () => {
    const liar = await patched({ 'a.md': 'text '.repeat(100_000) }, { originalSize: 10 });
    expect((await unpack([liar])).get('a.md')).toHaveLength(10);
  });

  it('refuses a zip of more than 20,000 files', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`${index}.md`, new Uint8Array()]));
    const file = new File([zipSync(many, { level: 0 }) as Uint8Array<ArrayBuffer>], 'a.zip');
    await expect(unpack([file])).rejects.toThrow('more than 20,000 files');
  });

  it('refuses a broken zip and an empty one', async () => {
    const whole = new Uint8Array(await zip({ 'a.md': 'text '.repeat(1000) }).arrayBuffer());
    await expect(unpack([new File([whole.slice(0, 5)], 'cut.zip')])).rejects.toThrow(OperationError);
    await expect(unpack([new File([whole.fill(255, 40, 60)], 'broken.zip')])).rejects.toThrow(OperationError);
    await expect(unpack([zip({})])).rejects.toThrow(OperationError);
  });
});

const CENTRAL = Buffer.from('PK\x01\x02');

/** A zip whose only entry declares a wrong size. */
async function patched(files: Record<string, string>, { originalSize }: { originalSize: number }): Promise<File> {
  const bytes = Buffer.from(await zip(files).arrayBuffer());
  bytes.writeUInt32LE(originalSize, bytes.indexOf(CENTRAL) + 24);
  return new File([bytes], 'a.zip');
}

/** A zip whose entries share the same uncompressed bytes and claim to be empty. */
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
