import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { png, SAMPLE_IMAGES, sha256 } from '../../../tools/testing/images.ts';
import { command } from './command.ts';

const URL_OF_SERVER = 'https://blog.example';
const TEXTS = fileURLToPath(new URL('../../demo/src/posts/', import.meta.url));
/** More images than are read at a time. */
const POSTS = 250;

/** References of every kind, by the number of the post, and the images to which they lead. */
const REFERENCES: readonly ((image: string) => string)[] = [
  (image) => `![A picture](./${encodeURI(image)} "title")`,
  (image) => `![A picture](<../posts/${image}>)`,
  (image) => `![A picture][picture]\n\n[picture]: <${image}>`,
  (image) => `<img alt="x" src="${image}">`,
  (image) => `<picture>\n<source srcset="${encodeURI(image)} 2x">\n<img src='${image}'>\n</picture>`,
  () => '![Of the site](/img/site.png)',
  (image) => `[full size](${encodeURI(image)})`,
];

describeDatabases(`a folder of ${POSTS} posts with images`, (database) => {
  const run = (...args: string[]) =>
    command([...args, '--database', database.url], { cwd: database.cwd, env: { PUBLIC_URL: URL_OF_SERVER } });

  async function writeSite(folder: string): Promise<void> {
    const put = async (name: string, content: string | Uint8Array) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    };
    const texts = await Promise.all((await readdir(TEXTS)).map((name) => readFile(join(TEXTS, name), 'utf8')));
    await put('static/img/site.png', png(7, 7));
    for (let index = 0; index < POSTS; index += 1) {
      const kinds = Object.entries(SAMPLE_IMAGES);
      const [extension, bytes] = kinds[index % kinds.length] ?? ['png', png(1, 1)];
      // Decomposed on disk, as macOS writes names; composed in the text.
      const image = `img/f\u00fcr ${index}.${extension}`;
      await put(`posts/${image.normalize('NFD')}`, index % 10 === 0 ? png(1, 1 + index) : bytes);
      const body = (texts[index % texts.length] ?? '').replace(/^---\n[\s\S]*?\n---\n/, '');
      const reference = REFERENCES[index % REFERENCES.length]?.(image);
      const cover = index % 3 === 0 ? `cover: ${image}\n` : '';
      await put(
        `posts/${index}.md`,
        `---\ntitle: Post ${index}\n${cover}---\n${body}\n\n${reference}\n\n\`![](code.png)\`\n`,
      );
    }
  }

  it('is imported with every image once, again without a change, and pruned', async () => {
    const folder = temporaryFolder().path;
    await writeSite(folder);
    const importIt = (...flags: string[]) =>
      run(
        'import',
        join(folder, 'posts'),
        '--root',
        join(folder, 'static'),
        '--blog',
        'news',
        '--name',
        'News',
        ...flags,
      );
    const imported = await importIt();
    const summary = '250 posts: 250 published, 0 drafts, 0 scheduled; 250 without a date, 250 without an author\n';
    expect(imported).toMatchObject({ code: 0, stderr: summary });
    const first = (await run('export', 'news')).stdout;
    const posts: { title: string; content: string; coverUrl: string | null }[] = JSON.parse(first).blogs[0].posts;
    const hashes = new Set(first.match(/[\da-f]{64}(?=\.(?:png|jpg|gif|webp|avif))/g));
    expect(posts).toHaveLength(POSTS);
    expect(posts.filter(({ content }) => !content.includes(`${URL_OF_SERVER}/media/`))).toEqual([]);
    expect(posts.filter(({ content }) => !content.includes('`![](code.png)`'))).toEqual([]);
    expect(posts.find(({ title }) => title === 'Post 5')?.content).toContain(`/media/${sha256(png(7, 7))}.png)`);
    expect(posts.filter(({ coverUrl }) => coverUrl?.startsWith(URL_OF_SERVER))).toHaveLength(Math.ceil(POSTS / 3));
    expect(hashes.size).toBeGreaterThan(POSTS / 10);
    expect(imported.stdout).toContain(`\nimages: ${hashes.size}\n`);
    expect(await importIt('--prune')).toMatchObject({ code: 0, stdout: expect.stringContaining('(0 new)') });
    expect((await run('export', 'news')).stdout).toBe(first);
    await writeFile(join(folder, 'posts/10.md'), '---\ntitle: Without its picture\n---\n');
    expect(await importIt('--prune')).toMatchObject({ stdout: expect.stringContaining('removed images: 1') });
  });

  it('is refused with the place of every broken reference, or imported with notes', async () => {
    const folder = await temporaryFolder().write({
      'a.md': '---\ntitle: A\n---\n![](./Foto.png)\n\n![](gone.png)\n',
      'b.md': '---\ntitle: B\n---\n![](../../etc/passwd)\n',
      'foto.png': png(1, 1),
    });
    const refused = await run('import', folder, '--blog', 'broken');
    expect(refused.code).toBe(2);
    for (const line of [
      'a.md:4: the image "./Foto.png" does not exist; did you mean "./foto.png"?',
      'a.md:6: the image "gone.png" does not exist',
      'b.md:4: the image "../../etc/passwd" is outside the folder',
    ]) {
      expect(refused.stderr).toContain(line);
    }
    expect((await run('blogs', 'list', '--json')).stdout).not.toContain('broken');
    const allowed = await run('import', folder, '--blog', 'broken', '--allow-missing');
    expect(allowed).toMatchObject({ code: 0, stderr: expect.stringContaining('note: a.md:6: the image "gone.png"') });
  });
});
