import type { EndpointId } from '../endpoints.ts';

/** The call of each endpoint with the SDK, after `createClient`. */
const CALLS: Readonly<Record<EndpointId, string>> = {
  'posts.list': 'for await (const post of blog.posts.list()) console.log(post.title);',
  'posts.get': "const post = await blog.posts.get('p1');",
  'posts.getBySlug': "const post = await blog.posts.getBySlug('hello-world');",
  'categories.list': 'const categories = await blog.categories.list();',
  'categories.get': "const category = await blog.categories.get('c1');",
  'categories.posts': "for await (const post of blog.categories.posts('c1')) console.log(post.title);",
  'tags.list': 'const tags = await blog.tags.list();',
  'tags.get': "const tag = await blog.tags.get('t1');",
  'tags.posts': "for await (const post of blog.tags.posts('t1')) console.log(post.title);",
  search: "const found = await blog.search('letterpress').take(5);",
  'ads.deliver': "const ad = await blog.ads.deliver('BANNER');\nif (ad.filled) console.log(ad.title);",
  'ads.deliverBatch':
    "const [top, side] = await blog.ads.deliverBatch([\n  { slotId: 'top', format: 'BANNER' },\n  { slotId: 'side', format: 'SIDEBAR' },\n]);",
  'ads.click': "const ad = await blog.ads.deliver('BANNER');\nif (ad.filled) await blog.ads.click(ad.clickToken);",
  'ads.impression': 'await blog.ads.impression();',
  preview: "const post = await blog.preview('TOKEN');",
};

/** A program that calls an endpoint with the SDK. */
export function sdkSample(id: EndpointId, baseUrl: string): string {
  return `import { createClient } from '@broadsheet/sdk';

const blog = createClient({ baseUrl: '${baseUrl}', apiKey: 'YOUR_KEY' });

${CALLS[id]}
`;
}
