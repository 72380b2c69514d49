import type { Image } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';
import { copyDatabase } from '@broadsheet/store';
import { openStore, sqlCopyEnd } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createPostgres, describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { png, SAMPLE_IMAGES, sha256 } from '../../../tools/testing/images.ts';
import { importContent } from '../src/imports/import-content.ts';
import { mediaUrl, putImages, readImage } from '../src/operations/images.ts';
import { run } from './run.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const SITE = 'https://blog.example';
const read = (bytes: Uint8Array<ArrayBuffer>) => readImage(bytes, 'image');
/** A new image in each call. */
let made = 0;
const newImage = (size = 0) => read(png(1, ++made, size));

const post = (id: string, images: readonly Image[], more: object = {}) => ({
  id,
  title: id,
  slug: id,
  content: images.map((image) => `![An image](${mediaUrl(SITE, image)})`).join('\n'),
  ...more,
});
const content = (id: string, posts: readonly ReturnType<typeof post>[], images: readonly Image[] = []) => ({
  snapshot: { blogs: [{ id, name: id, posts: [...posts] }] },
  images,
});

describeDatabases('images', (database) => {
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
  });
  afterAll(() => store?.close());

  const bytesOf = async (image: Image, from = store) => {
    const stored = await from.findImage(image);
    if (!stored) return undefined;
    const parts: Uint8Array[] = [];
    for await (const part of stored.parts()) parts.push(part);
    const bytes = Buffer.concat(parts);
    expect(bytes).toHaveLength(stored.size);
    return sha256(bytes);
  };
  const areStored = (images: readonly Image[]) =>
    Promise.all(images.map(async (image) => (await bytesOf(image)) === image.hash));

  test('images of every kind and number of parts are read as they were stored', async () => {
    const part = 256 * 1024;
    const images = [
      ...(await Promise.all(Object.values(SAMPLE_IMAGES).map(read))),
      ...(await Promise.all([part - 1, part, part + 1, 10 * 1024 * 1024].map((size) => newImage(size)))),
    ];
    await putImages(store, 'kinds', images);
    await putImages(store, 'kinds', images);
    expect(await store.missingImages('kinds', [...images.map(({ hash }) => hash), 'none'])).toEqual(['none']);
    expect(new Set(await areStored(images))).toEqual(new Set([true]));
  });

  test('an image is found only under its own extension', async () => {
    const image = await newImage();
    await putImages(store, 'extension', [image]);
    expect(await store.findImage({ ...image, extension: 'jpg' })).toBeUndefined();
    expect(await store.findImage({ hash: '0'.repeat(64), extension: 'png' })).toBeUndefined();
  });

  test('an import stores the images of its posts and ads, and a dry run does not', async () => {
    const images = await Promise.all([newImage(), newImage(), newImage(), newImage()]);
    const [inText, cover, ad] = images;
    const id = crypto.randomUUID();
    const blog = {
      id: 'import',
      name: 'Import',
      posts: [post('p', [inText], { coverUrl: mediaUrl(SITE, cover) })],
      ads: [{ id, format: 'BANNER' as const, imageUrl: mediaUrl(SITE, ad) }],
    };
    const source = { snapshot: { blogs: [blog] }, images };
    await importContent(store, source, { now: NOW, dryRun: true });
    expect(await areStored(images)).toEqual([false, false, false, false]);
    await importContent(store, source, { now: NOW });
    expect(await areStored(images)).toEqual([true, true, true, false]);
  });

  test('a refused import leaves no images behind', async () => {
    const image = await newImage();
    const posts = [post('a', [image], { slug: 'same' }), post('b', [], { slug: 'same' })];
    await expect(importContent(store, content('refused', posts, [image]), { now: NOW })).rejects.toThrow();
    expect(await areStored([image])).toEqual([false]);
  });

  test('prune removes the images that nothing refers to any longer', async () => {
    const images = await Promise.all([newImage(), newImage(), newImage(), newImage(), newImage()]);
    const [kept, gone, deleted, ad, deletedAd] = images;
    const posts = [post('kept', [kept]), post('changed', [gone]), post('deleted', [deleted])];
    await importContent(store, content('prune', posts, images), { now: NOW });
    for (const image of [ad, deletedAd]) {
      await putImages(store, 'prune', [image]);
      const { id } = await run(store, 'ads.add', 'prune', { format: 'BANNER', imageUrl: mediaUrl(SITE, image) });
      if (image === deletedAd) await run(store, 'ads.delete', 'prune', { ad: id });
    }
    await run(store, 'posts.delete', 'prune', { post: 'deleted' });
    const [imported] = await importContent(
      store,
      content('prune', [post('kept', [kept]), post('changed', [])], [kept]),
      { now: NOW, prune: true },
    );
    expect(imported?.pruned).toMatchObject({ posts: 0, images: 1 });
    expect(await areStored(images)).toEqual([true, false, true, true, true]);
    await run(store, 'posts.restore', 'prune', { post: 'deleted' });
    expect(await areStored([deleted])).toEqual([true]);
  });

  test('prune does not remove the image of an ad that is being saved', async () => {
    await importContent(store, content('race', [post('p', [])]), { now: NOW });
    const images = await Promise.all(Array.from({ length: 20 }, () => newImage()));
    const save = async (image: Image) => {
      await putImages(store, 'race', [image]);
      await run(store, 'ads.add', 'race', { format: 'BANNER', imageUrl: mediaUrl(SITE, image) });
      await putImages(store, 'race', [image]);
    };
    const saved = images.map(save);
    for (let turn = 0; turn < 10; turn += 1) await store.pruneImages('race');
    await Promise.all(saved);
    await store.pruneImages('race');
    expect(new Set(await areStored(images))).toEqual(new Set([true]));
  });

  test('deleting a blog removes its images, except those of another blog', async () => {
    const [own, shared] = await Promise.all([newImage(600_000), newImage(600_000)]);
    await importContent(store, content('first', [post('p', [own, shared])], [own, shared]), { now: NOW });
    await importContent(store, content('second', [post('p', [shared])], [shared]), { now: NOW });
    await store.deleteBlog('first');
    expect(await areStored([own, shared])).toEqual([false, true]);
    await store.deleteBlog('second');
    expect(await areStored([own, shared])).toEqual([false, false]);
  });

  test('move rewrites the URLs of stored images in posts, ads and the recycle bin, and nothing else', async () => {
    const image = await newImage();
    const url = mediaUrl(SITE, image);
    const foreign = `${SITE}/media/logo.png https://other.example/media/${image.hash}.png ${SITE}.evil/media/${image.hash}.png`;
    const ad = { format: 'BANNER', imageUrl: url };
    const posts = [
      post('p', [image], { content: `${url} "${url}" ${foreign}`, coverUrl: url }),
      post('draft', [image], { status: 'DRAFT' }),
      post('deleted', [image]),
      post('none', [], { content: foreign }),
    ];
    await importContent(store, content('move', posts, [image]), { now: NOW });
    const { id } = await run(store, 'ads.add', 'move', ad);
    await run(store, 'posts.delete', 'move', { post: 'deleted' });
    await store.addKey('move', 'key-move', NOW);
    const before = (await store.findBlog('key-move'))?.revision;
    const to = 'https://new.example/blog';
    const change = { old: `${SITE}/`, new: to };
    // The beginning of the URL of an image is accepted as well.
    const copied = { old: `${SITE}/media`, new: `${to}/media/` };
    expect(await run(store, 'media.move', 'move', copied)).toEqual({ blog: 'move', changed: 4 });
    expect(await run(store, 'media.move', 'move', change)).toEqual({ blog: 'move', changed: 0 });
    expect((await store.findBlog('key-move'))?.revision).not.toBe(before);
    const moved = mediaUrl(to, image);
    await run(store, 'posts.restore', 'move', { post: 'deleted' });
    const exported = await store.exportBlog('move');
    const contents = Object.fromEntries(exported?.posts.map((one) => [one.id, one.content]) ?? []);
    expect(contents['p']).toBe(`${moved} "${moved}" ${foreign}`);
    expect(contents['draft']).toBe(`![An image](${moved})`);
    expect(contents['deleted']).toBe(`![An image](${moved})`);
    expect(contents['none']).toBe(foreign);
    expect(exported?.posts.find((one) => one.id === 'p')?.coverUrl).toBe(moved);
    expect(exported?.ads.find((one) => one.id === id)?.imageUrl).toBe(moved);
    for (const wrong of ['', 'blog.example', 'ftp://blog.example', 'https://blog.example?x', 'https://a b']) {
      await expect(run(store, 'media.move', 'move', { old: wrong, new: to })).rejects.toThrow(
        'expected the http(s) URL',
      );
    }
  });

  test('a copy of a database contains its images', async () => {
    const images = await Promise.all([newImage(), newImage(3_000_000)]);
    const source =
      database.kind === 'SQLite' ? `sqlite:${temporaryFolder().join('source.db')}` : await createPostgres('template0');
    const original = await openStore(source);
    await importContent(original, content('copied', [post('p', images)], images), { now: NOW });
    await original.close();
    const target = inject('postgres')
      ? await createPostgres('template0')
      : `sqlite:${temporaryFolder().join('copy.db')}`;
    const copied = await copyDatabase(sqlCopyEnd(source), sqlCopyEnd(target));
    expect(copied.images).toBe(images.length);
    const copy = await openStore(target);
    try {
      for (const image of images) expect(await bytesOf(image, copy)).toBe(image.hash);
    } finally {
      await copy.close();
    }
  });
});
