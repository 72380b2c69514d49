import type { EndpointId } from '../endpoints.ts';

/** The texts about an endpoint in the reference. They are in a separate file, so that no client contains them. */
interface Description {
  readonly summary: string;
  /** Markdown. */
  readonly text: string;
}

const POSTS_OF =
  'Returns one page; `meta.pagination` has its number, its size and the total. Items may have only `id`, `title`, `slug`, `status` and `publishedAt`. A page past the end is empty.';

/** In the order of the API document. */
export const DESCRIPTIONS: Readonly<Record<EndpointId, Description>> = {
  'posts.list': {
    summary: 'List the published posts of the blog',
    text: 'The newest post comes first. There is no total: you have reached the end when a response has fewer items than `limit`.',
  },
  'posts.get': {
    summary: 'Read a published post by its id',
    text: 'Returns 404 for a draft or a scheduled post, as if it did not exist.',
  },
  'posts.getBySlug': {
    summary: 'Read a published post by its slug',
    text: 'URL-encode the slug in the path. Returns 404 for a draft or a scheduled post, as if it did not exist.',
  },
  'categories.list': {
    summary: 'List all categories of the blog',
    text: 'Returns all of them, sorted by name. `_count.posts` is the number of published posts.',
  },
  'categories.get': { summary: 'Read a category', text: '`_count.posts` is the number of its published posts.' },
  'categories.posts': { summary: 'List the published posts of a category', text: POSTS_OF },
  'tags.list': {
    summary: 'List all tags of the blog',
    text: 'Returns all of them, sorted by name. `_count.posts` is the number of published posts.',
  },
  'tags.get': { summary: 'Read a tag', text: '`_count.posts` is the number of its published posts.' },
  'tags.posts': { summary: 'List the published posts of a tag', text: POSTS_OF },
  search: {
    summary: 'Search the titles and subtitles of published posts',
    text: 'Every word of `q` must occur in the title or the subtitle, in any case and with or without accents. Posts with more of the words in the title come first. The results are in `data.data`, and the search term in `data.meta`.',
  },
  'ads.deliver': {
    summary: 'Deliver one ad of a format and count its impression',
    text: 'Returns the active ad with the highest priority. If several ads have it, one of them is selected at random. Returns `{ "filled": false }` when there is no ad. The impression is on disk before the response is sent. The response is never cached, and `HEAD` returns 405, because it would count an impression.',
  },
  'ads.deliverBatch': {
    summary: 'Deliver one ad per slot, without repeats, and count the impressions',
    text: 'One result for each slot, in the order of the request. Ads of higher priority are delivered first, and no ad is delivered twice in one request. A `slotId` is also the placement under which impressions and clicks are counted.',
  },
  'ads.click': {
    summary: 'Register a click by the token of its delivery',
    text: 'The token of a delivery is valid for one click within ten minutes. If the blog has domains, `Origin` or `Referer` must be one of them. Another click from the same IP address on the same ad within 30 minutes gets the same response, but is not counted.',
  },
  'ads.impression': {
    summary: 'Do nothing; kept for compatibility',
    text: 'Impressions are counted at delivery. Any body, or none, is accepted and ignored.',
  },
  preview: {
    summary: 'Read one post of any status with a preview token',
    text: 'A preview link, created by `broadsheet posts preview` or in the panel, contains a token that gives access to one post for 24 hours, even if it is a draft or scheduled. Send it as `Authorization: Bearer TOKEN`. No API key is needed, and no API key gives access to a draft; the key of another blog is refused. The response is never cached.',
  },
};

/** The description of each group of endpoints. */
export const TAGS = [
  { name: 'posts', description: 'The published posts of the blog, newest first.' },
  { name: 'categories', description: 'The categories of the blog, and the posts in each category.' },
  { name: 'tags', description: 'The tags of the blog, and the posts with each tag.' },
  { name: 'search', description: 'Full-text search over titles and subtitles.' },
  { name: 'ads', description: 'Ads by format or by slot, and the clicks on them. These responses have no envelope.' },
  { name: 'preview', description: 'A post before it is published, for the person who has a link to it.' },
] as const;

/** The description of each parameter, and a value to try. */
export const PARAMETERS: Readonly<Record<string, { readonly text: string; readonly example: string | number }>> = {
  id: { text: 'The id, as in a list.', example: 'p1' },
  slug: { text: 'The slug of the post, as in its URL.', example: 'hello-world' },
  format: { text: 'The format of the ad.', example: 'BANNER' },
  status: { text: 'Only published posts can be read.', example: 'PUBLISHED' },
  limit: { text: 'The maximum number of items.', example: 10 },
  offset: { text: 'The number of items to skip.', example: 0 },
  page: { text: 'The number of the page, from 1.', example: 1 },
  pageSize: { text: 'The number of items on a page.', example: 10 },
  q: { text: 'The search term: at least three characters after trimming.', example: 'letterpress' },
  idempotencyKey: {
    text: 'Makes it safe to repeat the delivery: for ten minutes, requests with the same idempotency key, API key and body get the same ads, and are counted once. The same key with another body returns 400.',
    example: '7b0c9a52-4c0e-4d0a-9d55-0a4f6f1d2b3e',
  },
};

export const INTRODUCTION = `The published content of one blog, and its ads.

Send the API key of the blog in the header \`X-API-Key\` of every request; the key determines which blog is read. Responses
with content have the form \`{ success, data, meta? }\`; responses with ads have no envelope. All errors have the same
form: a stable \`code\`, and in \`docs\` the URL of a page that says how to fix it.

To try a request here, enter a key under Authentication. \`broadsheet keys create BLOG\` creates one.`;
