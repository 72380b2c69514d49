import { LIMITS, list, text } from '@broadsheet/contract';
import { mediaPath } from '@broadsheet/core';
import { IMAGE_BYTES, readBase64Image } from '../operations/images.ts';
import { command, internal, position } from './command.ts';
import { requireEverything } from './effects.ts';
import { readServerUrl } from './server-url.ts';

const IMAGES = ['import', 'ads'] as const;
const url = (help: string) => position(text(LIMITS.url), help);

/** The commands for the images of a blog, mostly for programs that write texts that refer to them. */
export const media = {
  'media.missing': command({
    effect: 'read',
    on: 'any blog',
    scopes: IMAGES,
    args: { hashes: internal(list(text({ max: 64 }), { max: 10_000 })) },
    run: ({ store, blog }, { hashes }) => store.missingImages(blog, hashes),
  }),
  'media.add': command({
    effect: 'write',
    touches: ['images'],
    // The images of a new blog are stored before its posts are imported.
    on: 'any blog',
    scopes: IMAGES,
    bodyBytes: IMAGE_BYTES,
    args: { image: internal(text({ max: IMAGE_BYTES })) },
    async run({ store, blog, actor }, { image: base64 }) {
      if (!(await store.hasBlog(blog))) requireEverything(actor, 'an image of a new blog');
      const image = await readBase64Image(base64);
      const isNew = (await store.missingImages(blog, [image.hash])).length > 0;
      if (isNew) await store.putImage(blog, image);
      return { path: mediaPath(image), isNew };
    },
    log: ({ path, isNew }) => (isNew ? `stored the image ${path}` : undefined),
  }),
  'media.prune': command({
    effect: 'write',
    touches: ['images'],
    transaction: 'long',
    on: 'any blog',
    scopes: ['import'],
    args: {},
    run: ({ store, blog }) => store.pruneImages(blog),
    log: (removed) =>
      removed > 0 ? `removed ${removed === 1 ? '1 unused image' : `${removed} unused images`}` : undefined,
  }),
  'media.move': command({
    effect: 'write',
    touches: ['posts', 'ads'],
    help: 'update the URLs of stored images in posts and ads after the URL of the server has changed',
    examples: ['media move http://127.0.0.1:4500 https://blog.example'],
    on: 'each blog',
    scopes: ['import'],
    args: { old: url('the old URL of the server'), new: url('the new URL of the server') },
    transaction: 'long',
    async run({ store, blog }, { old, new: changed }) {
      const [from, to] = [readMediaUrl('old', old), readMediaUrl('new', changed)];
      return { blog, changed: await store.moveMedia(blog, from, to) };
    },
    text: ({ blog, changed }) => `${blog}: changed ${counted(changed)}`,
    log: ({ changed }) => (changed > 0 ? `moved the URLs of images in ${counted(changed)}` : undefined),
  }),
};

/** The URL of a server; people may also copy the beginning of an image's URL. */
const readMediaUrl = (at: string, typed: string): string => readServerUrl(at, typed).replace(/\/media$/, '');

const counted = (items: number): string => (items === 1 ? '1 post or ad' : `${items} posts and ads`);
