import { expect, test } from 'vitest';
import { FilledAd } from '../schemas/ad.ts';
import { accept } from './accept.ts';
import { AD_TEXTS, SnapshotAd, SnapshotBlog } from './snapshot.ts';

const ad = (fields: object) =>
  accept(SnapshotAd, { id: '00000000-0000-0000-0000-00000000000a', format: 'NATIVE', ...fields });

test.each(['javascript:alert(1)', ' java\nscript:alert(1)', 'JavaScript:1', 'vbscript:x', 'data:text/html,x'])(
  'refuses the link %j',
  (linkUrl) => {
    expect(ad({ linkUrl })).toMatchObject({ ok: false, fields: [{ field: 'linkUrl' }] });
  },
);

test.each(['https://x.example/?a=b:c', 'HTTP://x.example', '/offers/1', 'offers?x', null])(
  'accepts the link %j',
  (linkUrl) => {
    expect(ad({ linkUrl })).toMatchObject({ ok: true, value: { linkUrl } });
  },
);

test('AD_TEXTS has every text field of an AdDeliveryResult', () => {
  expect(Object.keys(FilledAd.shape)).toEqual(['filled', 'id', ...AD_TEXTS, 'clickToken']);
});

test('an id is a UUID of any version, and nothing else', () => {
  expect(ad({}).ok).toBe(true);
  expect(ad({ id: 'ad-1' })).toMatchObject({ ok: false, fields: [{ message: expect.stringContaining('a UUID') }] });
});

const tag = (name: string) => ({ id: 't', name });
const post = (fields: object) => ({ id: 'p', title: 'P', slug: 'p', ...fields });
const campaign = (fields: object) => ({ id: 'c', sponsor: 'Tea', name: 'Spring', ...fields });
const spot = (fields: object) => ({ id: '00000000-0000-0000-0000-00000000000a', format: 'NATIVE', ...fields });

test.each<[field: string, most: number, blog: (text: string) => object]>([
  ['name', 200, (name) => ({ name })],
  ['categories.0.name', 200, (name) => ({ categories: [tag(name)] })],
  ['categories.0.description', 10_000, (description) => ({ categories: [{ ...tag('T'), description }] })],
  ['tags.0.name', 200, (name) => ({ tags: [tag(name)] })],
  ['posts.0.title', 1000, (title) => ({ posts: [post({ title })] })],
  ['posts.0.subtitle', 1000, (subtitle) => ({ posts: [post({ subtitle })] })],
  ['posts.0.authorId', 1000, (authorId) => ({ posts: [post({ authorId })] })],
  ['campaigns.0.sponsor', 200, (sponsor) => ({ campaigns: [campaign({ sponsor })] })],
  ['campaigns.0.name', 200, (name) => ({ campaigns: [campaign({ name })] })],
  ['ads.0.title', 120, (title) => ({ ads: [spot({ title })] })],
  ['ads.0.content', 10_000, (content) => ({ ads: [spot({ content })] })],
  ['ads.0.linkText', 200, (linkText) => ({ ads: [spot({ linkText })] })],
  ['ads.0.linkUrl', 2000, (linkUrl) => ({ ads: [spot({ linkUrl })] })],
])('%s of a blog has at most %i characters', (field, most, blog) => {
  const read = (text: string) => accept(SnapshotBlog, { id: 'b', name: 'B', ...blog(text) });
  expect(read('😀'.repeat(most))).toMatchObject({ ok: true });
  const message = `${field}: must be at most ${most} characters long`;
  expect(read('😀'.repeat(most + 1))).toMatchObject({ ok: false, fields: [{ field, message }] });
});
