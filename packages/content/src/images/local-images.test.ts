import { mkdir, symlink, truncate } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { png, SAMPLE_IMAGES, sha256 } from '../../../../tools/testing/images.ts';
import { readContent, readUpload } from '../index.ts';
import { LIMITS } from '../limits.ts';
import type { ReadContentOptions } from '../noted-snapshot.ts';

const mediaUrl = 'https://blog.example';
const A = png(1, 1);
const B = png(2, 2);
const urlOf = (bytes: Uint8Array, extension = 'png') => `${mediaUrl}/media/${sha256(bytes)}.${extension}`;
const post = (body: string, more = '') => `---\ntitle: A\n${more}---\n${body}`;
type Files = Readonly<Record<string, string | Uint8Array>>;

let folder = temporaryFolder();
beforeEach(() => {
  folder = temporaryFolder();
});

async function read(files: Files, options: ReadContentOptions = {}) {
  await folder.write(files);
  return readContent(folder.path, { mediaUrl, ...options });
}

async function contentOf(files: Files, options: ReadContentOptions = {}) {
  const content = await read(files, options);
  if (!content.ok) throw new Error(JSON.stringify(content.problems));
  const posts = content.snapshot.blogs[0]?.posts ?? [];
  return { ...content, posts, hashes: content.images?.map(({ hash }) => hash).sort() };
}

const problemsOf = async (files: Files, options: ReadContentOptions = {}) => {
  const content = await read(files, options);
  return content.ok ? [] : content.problems.map(({ at, message }) => `${at}: ${message}`);
};

describe('an image of a folder', () => {
  test('its reference becomes the URL under which it is served; everything else stays as written', async () => {
    const body = (a: string, b: string) =>
      `\r\n![é](${a} "t") *x*\t\r\n<img alt=1 src='${a}'> \`![](a.png)\`\n\n![b][r]\n\n[r]: ${b} "t"\n`;
    const { posts, images } = await contentOf({
      'sub/a.md': post(body('../a.png', './b%20c.png'), 'cover: ../a.png\n'),
      'a.png': A,
      'sub/b c.png': B,
    });
    expect(posts).toMatchObject([{ content: body(urlOf(A), urlOf(B)), coverUrl: urlOf(A) }]);
    expect(images?.map(({ hash, extension, bytes }) => ({ hash, extension, size: bytes.length }))).toEqual([
      { hash: sha256(A), extension: 'png', size: A.length },
      { hash: sha256(B), extension: 'png', size: B.length },
    ]);
  });

  test('has the extension of its bytes, and is stored once even if several files have the same bytes', async () => {
    const files = Object.entries(SAMPLE_IMAGES).map(([name, bytes]) => [`${name}.jpeg`, bytes] as const);
    const { posts, images } = await contentOf({
      ...Object.fromEntries(files),
      'again.gif': SAMPLE_IMAGES.gif,
      'a.md': post(`${files.map(([name]) => `![](${name})`).join(' ')} ![](again.gif)`),
    });
    const urls = Object.entries(SAMPLE_IMAGES).map(([extension, bytes]) => `![](${urlOf(bytes, extension)})`);
    expect(posts[0]?.content).toBe(`${urls.join(' ')} ![](${urlOf(SAMPLE_IMAGES.gif, 'gif')})`);
    expect(images).toHaveLength(5);
  });

  test('may have spaces and letters in any Unicode form in its name', async () => {
    const [nfc, nfd] = ['f\u00fcr uns.png', 'fu\u0308r uns.png'];
    const links = `![](<${nfc}>) ![](${encodeURIComponent(nfd)}) <img src="${nfd}">`;
    const { posts } = await contentOf({ [`b\u00e4r/${nfd}`]: A, 'ba\u0308r/a.md': post(links) });
    expect(posts[0]?.content).toBe(`![](${urlOf(A)}) ![](${urlOf(A)}) <img src="${urlOf(A)}">`);
  });

  test('is replaced in links too, and the query of the link is removed', async () => {
    const { posts } = await contentOf({
      'a.png': A,
      'a.md': post('[![](a.png)](a.png?v=2#x) [post](./other.md) [p](b)'),
    });
    expect(posts[0]?.content).toBe(`[![](${urlOf(A)})](${urlOf(A)}) [post](./other.md) [p](b)`);
  });

  test('URLs, data, fragments and template code stay as written', async () => {
    const body =
      '![](https://e.example/a.png) ![](//e.example/a.png) ![](data:image/png;base64,AA==) ![](#a) [x](mailto:a@b.png)\n' +
      '![](file:///etc/passwd) ![]({{site.url}}/a.png) <img src={photo} /> <img src="">';
    const { posts, images, notes } = await contentOf({ 'a.md': post(body) });
    expect({ content: posts[0]?.content, images }).toEqual({ content: body, images: [] });
    const note = 'refers to an image by template code, which stays as written';
    expect(notes).toEqual([`a.md:5 ${note}`, `a.md:5 ${note}`]);
  });

  test('references stay as written if there is no URL under which images are served', async () => {
    const { posts, images } = await contentOf(
      { 'a.md': post('![](a.png)', 'image: b.png\n') },
      { mediaUrl: undefined },
    );
    expect(posts).toMatchObject([{ content: '![](a.png)', coverUrl: 'b.png' }]);
    expect(images).toBeUndefined();
  });

  test('HTML that is generated from Markdown contains the URLs', async () => {
    const { posts } = await contentOf(
      { 'a.png': A, 'a.md': post('![x](a.png)') },
      { html: true, mediaUrl: `${mediaUrl}/` },
    );
    expect(posts[0]?.content).toBe(`<p><img src="${urlOf(A)}" alt="x"></p>\n`);
  });
});

describe('a reference to an image that cannot be stored', () => {
  test('all are reported with file and line, and with the file that may be meant', async () => {
    const body =
      '\n![](Foto.PNG)\n\n<img\n  src="./fotp.png">\n![x][r]\n![](gone.png) ![](../foto.png) ![](foto.png/x.png)\n\n[r]: images/deep.png\n';
    expect(
      await problemsOf({
        'p/a.md': post(body),
        'p/foto.png': A,
        'p/img/deep.png': A,
        'b.md': post('', 'cover: c.png\n'),
      }),
    ).toEqual([
      'b.md:3: the image "c.png" does not exist; check its path',
      'p/a.md:5: the image "Foto.PNG" does not exist; did you mean "foto.png"?',
      'p/a.md:8: the image "./fotp.png" does not exist; did you mean "./foto.png"?',
      'p/a.md:10: the image "gone.png" does not exist; check its path',
      'p/a.md:10: the image "../foto.png" does not exist; did you mean "foto.png"?',
      'p/a.md:10: the image "foto.png/x.png" does not exist; check its path',
      'p/a.md:12: the image "images/deep.png" does not exist; did you mean "img/deep.png"?',
    ]);
  });

  test('files that are not images, are too large, or expand to too many pixels are refused', async () => {
    await folder.write({ 'huge.png': A });
    await truncate(folder.join('huge.png'), 20 * 1024 * 1024);
    const problems = await problemsOf({
      'a.md': post('![](a.svg)\n![](b.png)\n![](huge.png)\n![](bomb.png)\n![](c.png)'),
      'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'b.png': '<!doctype html><script>alert(1)</script>',
      'bomb.png': png(10_000, 10_000),
      'c.png': 'text',
    });
    expect(problems).toEqual([
      expect.stringMatching(/^a\.md:4: the image "a\.svg" is SVG/),
      expect.stringMatching(/^a\.md:5: the image "b\.png" is a web page/),
      expect.stringMatching(/^a\.md:6: the image "huge\.png" is larger than 10 MiB/),
      expect.stringMatching(/^a\.md:7: the image "bomb\.png" is an image of 10000 x 10000 pixels/),
      expect.stringMatching(/^a\.md:8: the image "c\.png" is not an image/),
    ]);
  });

  test('allowMissing leaves them as written, with a note', async () => {
    const body = '![](gone.png) ![](a.svg) ![](a.png)';
    const { posts, notes } = await contentOf(
      { 'a.md': post(body), 'a.svg': '<svg >', 'a.png': A },
      { allowMissing: true },
    );
    expect(posts[0]?.content).toBe(`![](gone.png) ![](a.svg) ![](${urlOf(A)})`);
    expect(notes).toEqual([
      'a.md:4: the image "gone.png" does not exist; check its path (the reference stays as written)',
      expect.stringMatching(/^a\.md:4: the image "a\.svg" is SVG/),
    ]);
  });

  test('skipBad leaves out the posts that refer to them', async () => {
    const content = await contentOf({ 'a.md': post('![](gone.png)'), 'b.md': post('') }, { skipBad: true });
    expect(content.skipped?.map(({ at }) => at)).toEqual(['a.md:4']);
    expect(content.posts).toHaveLength(1);
  });

  test('an import has a limit of images', async () => {
    const files = new Map<string, Uint8Array<ArrayBuffer>>();
    const names = Array.from({ length: LIMITS.images + 1 }, (_, index) => `${index}.png`);
    for (const [index, name] of names.entries()) files.set(name, png(1, 1 + index));
    files.set('a.md', new TextEncoder().encode(post(names.map((name) => `![](${name})\n`).join('\n'))));
    expect(await readUpload('a.zip', files, { mediaUrl })).toMatchObject({
      ok: false,
      problems: [
        {
          message: `the image "10000.png" exceeds the limit of 10000 images per import; import the posts in several parts`,
        },
      ],
    });
  });

  test('a paragraph whose images cannot be found is reported', async () => {
    const body = `Text.\n\n![](a.png) ${'[a]('.repeat(50_000)}\n\n${'> '.repeat(200)}![](a.png)`;
    const message = 'the text has too many brackets or levels here to find its images; simplify it';
    expect(await problemsOf({ 'a.md': post(body) })).toEqual([`a.md:6: ${message}`, `a.md:8: ${message}`]);
  });
});

describe('the folder of a site', () => {
  const files = { 'content/posts/a.md': post('![](/img/a.png) ![](../../static/img/a.png)', 'image: img/a.png\n') };
  const readPosts = (options: ReadContentOptions) =>
    readContent(folder.join('content/posts'), { mediaUrl, ...options });

  test('absolute paths refer to the folder that root names, and relative paths may lead into it', async () => {
    await folder.write({ ...files, 'static/img/a.png': A });
    expect(await readPosts({})).toMatchObject({ ok: false, problems: [{ at: 'a.md:5' }, { at: 'a.md:3' }] });
    for (const root of ['static', '.']) {
      const text = root === '.' ? '/static/img/a.png' : '/img/a.png';
      await folder.write({
        'content/posts/a.md': post(`![](${text}) ![](../../static/img/a.png)`, `image: ${text.slice(1)}\n`),
      });
      expect(await readPosts({ root: folder.join(root) })).toMatchObject({
        snapshot: { blogs: [{ posts: [{ content: `![](${urlOf(A)}) ![](${urlOf(A)})`, coverUrl: urlOf(A) }] }] },
      });
    }
  });

  test('a relative path may lead out of the folder and back', async () => {
    await folder.write({ 'content/posts/a.md': post('![](../posts/a.png)'), 'content/posts/a.png': A });
    expect(await readPosts({})).toMatchObject({ snapshot: { blogs: [{ posts: [{ content: `![](${urlOf(A)})` }] }] } });
  });

  test('a missing absolute path is a problem if a root is set, and a note otherwise', async () => {
    await folder.write({ 'content/posts/a.md': post('![](/img/b.png)'), 'static/img/a.png': A });
    expect(await readPosts({ root: folder.join('static') })).toMatchObject({
      problems: [{ message: 'the image "/img/b.png" does not exist; did you mean "/img/a.png"?' }],
    });
    expect(await readPosts({})).toMatchObject({
      ok: true,
      notes: [
        expect.stringMatching(/^a\.md:4 refers to an image by an absolute path, which stays as written; .*--root DIR/),
      ],
    });
  });

  test('a root that does not exist is a problem', async () => {
    await folder.write(files);
    expect(await readPosts({ root: folder.join('nowhere') })).toMatchObject({
      problems: [{ at: folder.join('nowhere'), message: 'does not exist; check the path' }],
    });
  });
});

describe('a path that leads out of the folder', () => {
  test.each([
    '../../../../../../etc/passwd',
    '%2e%2e/secret.png',
    '..%2fsecret.png',
    '%2e%2e%5csecret.png',
    '..\\secret.png',
    'x/../../secret.png',
    '&#x2e;&#x2e;/secret.png',
  ])('%s is refused', async (path) => {
    await folder.write({ 'secret.png': A, 'posts/a.md': post(`![](${path})`), 'posts/x/b.md': post('') });
    const content = await readContent(folder.join('posts'), { mediaUrl });
    expect(content).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining('is outside the folder "posts" and is not read') }],
    });
  });

  test.each([
    '/etc/passwd',
    '/../../etc/passwd',
    '/%2e%2e/secret.png',
    'a%00.png',
    '/secret.png',
    '%252e%252e/secret.png',
  ])('%s is not read', async (path) => {
    await folder.write({ 'secret.png': A, 'posts/a.md': post(`![](${path})`) });
    const content = await readContent(folder.join('posts'), { mediaUrl, allowMissing: true });
    expect(content).toMatchObject({ ok: true, images: [], notes: [expect.stringMatching(/stays as written/)] });
  });

  test('symbolic links that lead outside the folder are refused; others are followed', async () => {
    await folder.write({
      'secret.png': A,
      'posts/b.png': B,
      'posts/a.md': post('![](out.png)\n![](in.png)\n![](up/secret.png)\n![](broken.png)'),
    });
    await symlink(folder.join('secret.png'), folder.join('posts/out.png'));
    await symlink('b.png', folder.join('posts/in.png'));
    await symlink('..', folder.join('posts/up'));
    await symlink('nowhere.png', folder.join('posts/broken.png'));
    const content = await readContent(folder.join('posts'), { mediaUrl });
    expect(content.ok ? [] : content.problems.map(({ at, message }) => `${at}: ${message}`)).toEqual([
      'a.md:4: the image "out.png" is a symbolic link that leads out of its folder and is not read',
      'a.md:6: the image "up/secret.png" is behind a symbolic link to a folder, which is not followed',
      'a.md:7: the image "broken.png" does not exist; check the path',
    ]);
  });

  test('files of an upload are found only by their names', async () => {
    const files = new Map([
      ['posts/a.md', new TextEncoder().encode(post('![](../img/a.png) ![](../../etc/passwd) ![](/img/a.png)'))],
      ['img/a.png', A],
    ]);
    expect(await readUpload('a.zip', files, { mediaUrl, allowMissing: true })).toMatchObject({
      ok: true,
      snapshot: { blogs: [{ posts: [{ content: `![](${urlOf(A)}) ![](../../etc/passwd) ![](${urlOf(A)})` }] }] },
    });
  });
});

describe('a Ghost export', () => {
  const html =
    '<img src="__GHOST_URL__/content/images/2024/a.png" srcset="__GHOST_URL__/content/images/size/w600/2024/a.png 600w, ' +
    '__GHOST_URL__/content/images/2024/a.png 900w"><a href="__GHOST_URL__/about/">about</a> __GHOST_URL__';
  const row = { id: 'p1', title: 'T', slug: 's', status: 'published', html };
  const exported = (more: object = {}) =>
    JSON.stringify({
      db: [{ meta: {}, data: { posts: [{ ...row, feature_image: '__GHOST_URL__/content/images/b.png', ...more }] } }],
    });
  const images = { 'content/images/2024/a.png': A, 'content/images/b.png': B };
  const stored = {
    content: `<img src="${urlOf(A)}" srcset="${urlOf(A)} 600w, ${urlOf(A)} 900w"><a href="/about/">about</a> `,
    coverUrl: urlOf(B),
  };

  test('the images beside an export are stored, whether the export is a file, in a folder or in a zip', async () => {
    await folder.write({ 'site/export.json': exported(), 'site/content/themes/casper/README.md': 'Theme' });
    for (const [name, bytes] of Object.entries(images)) await folder.write({ [`site/${name}`]: bytes });
    const zip = new Map(Object.entries(images).map(([name, bytes]) => [`site/${name}`, bytes]));
    zip.set('site/export.json', new TextEncoder().encode(exported()));
    for (const content of [
      await readContent(folder.join('site/export.json'), { mediaUrl }),
      await readContent(folder.join('site'), { mediaUrl }),
      await readUpload('site.zip', zip, { mediaUrl }),
    ]) {
      expect(content).toMatchObject({ ok: true, snapshot: { blogs: [{ posts: [stored] }] } });
      expect(content.ok && content.images).toHaveLength(2);
    }
  });

  test('without images beside it, its references lead to the public site, with a note', async () => {
    await folder.write({ 'export.json': exported() });
    expect(await readContent(folder.join('export.json'), { mediaUrl })).toMatchObject({
      ok: true,
      snapshot: { blogs: [{ posts: [{ coverUrl: '/content/images/b.png' }] }] },
      notes: [expect.stringContaining('links rewritten to start with /')],
    });
  });

  test('root names the folder that has its images', async () => {
    await mkdir(folder.join('exports'));
    await folder.write({ 'exports/export.json': exported(), ...images });
    const content = await readContent(folder.join('exports/export.json'), { mediaUrl, root: folder.path });
    expect(content).toMatchObject({ ok: true, snapshot: { blogs: [{ posts: [stored] }] } });
  });

  test('a missing image is reported with the row of the post', async () => {
    await folder.write({ 'export.json': exported({ feature_image: '__GHOST_URL__/content/images/B.png' }), ...images });
    expect(await readContent(folder.join('export.json'), { mediaUrl })).toMatchObject({
      problems: [
        {
          at: 'db.0.data.posts.0',
          message: 'the image "content/images/B.png" does not exist; did you mean "content/images/b.png"?',
        },
      ],
    });
  });
});
