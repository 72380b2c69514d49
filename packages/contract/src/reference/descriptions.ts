import type { EndpointId } from '../endpoints.ts';

/** The texts about an endpoint in the reference. Only documents use them, so that no program contains them. */
interface Description {
  readonly summary: string;
  /** Markdown. */
  readonly text: string;
}

const POSTS_OF =
  'In pages: `meta.pagination` says where the page stands. Items may carry only `id`, `title`, `slug`, `status` and `publishedAt`. A page past the end is empty.';

/** In the order of the API document. */
export const DESCRIPTIONS: Readonly<Record<EndpointId, Description>> = {
  'posts.list': {
    summary: 'List the published posts of the blog',
    text: 'Newest first. There is no total: the end is reached when an answer holds fewer items than `limit`.',
  },
  'posts.get': {
    summary: 'Read a published post by its id',
    text: 'A draft or a scheduled post answers 404, as if it did not exist.',
  },
  'posts.getBySlug': {
    summary: 'Read a published post by its slug',
    text: 'The slug is URL-encoded in the path. A draft or a scheduled post answers 404, as if it did not exist.',
  },
  'categories.list': {
    summary: 'List all categories of the blog',
    text: 'By name, all at once. `_count.posts` is the number of published posts.',
  },
  'categories.get': { summary: 'Read a category', text: 'With `_count.posts`, the number of its published posts.' },
  'categories.posts': { summary: 'List the published posts of a category', text: POSTS_OF },
  'tags.list': {
    summary: 'List all tags of the blog',
    text: 'By name, all at once. `_count.posts` is the number of published posts.',
  },
  'tags.get': { summary: 'Read a tag', text: 'With `_count.posts`, the number of its published posts.' },
  'tags.posts': { summary: 'List the published posts of a tag', text: POSTS_OF },
  search: {
    summary: 'Search the titles and subtitles of published posts',
    text: 'Every word of `q` must occur in the title or the subtitle, in any case and with or without accents. Posts with more of the words in the title come first. The results are at `data.data`, what was searched for at `data.meta`.',
  },
  'ads.deliver': {
    summary: 'Deliver one ad of a format and count its impression',
    text: 'The active ad with the highest priority; among equals one is drawn. `{ "filled": false }` when there is none. The impression is on disk before the answer leaves. Never cached; `HEAD` answers 405, as it would count.',
  },
  'ads.deliverBatch': {
    summary: 'Deliver one ad per slot, none twice, and count their impressions',
    text: 'One result for each slot, in the order of the request. Ads of higher priority are given out first, and none is given out twice in a request. A `slotId` is also the placement under which impressions and clicks are counted.',
  },
  'ads.click': {
    summary: 'Register a click by the token of its delivery',
    text: 'The token of a delivery is good for one click within ten minutes. Where the blog has domains, `Origin` or `Referer` must be one of them. Another click of the same address on the same ad within 30 minutes is answered alike and not counted.',
  },
  'ads.impression': {
    summary: 'Accepted for compatibility, without effect',
    text: 'Impressions are counted at delivery. Any body, or none, is accepted and ignored.',
  },
  preview: {
    summary: 'Read one post of any status with a preview token',
    text: 'The token of a link from `broadsheet posts preview` or the panel opens one post for 24 hours, drafts and scheduled posts included. It is sent as `Authorization: Bearer TOKEN`. No API key is needed, and none opens a draft; a key of another blog is refused. Never cached.',
  },
};

/** What each group of endpoints is. */
export const TAGS = [
  { name: 'posts', description: 'The published posts of the blog, newest first.' },
  { name: 'categories', description: 'The categories of the blog, and the posts in each.' },
  { name: 'tags', description: 'The tags of the blog, and the posts that carry each.' },
  { name: 'search', description: 'Full-text search over titles and subtitles.' },
  { name: 'ads', description: 'Ads by format or by slot, and the clicks on them. These answers have no envelope.' },
  { name: 'preview', description: 'A post before it is published, for the person who has a link to it.' },
] as const;

/** What each parameter is, and a value to try. */
export const PARAMETERS: Readonly<Record<string, { readonly text: string; readonly example: string | number }>> = {
  id: { text: 'The id, as a list gives it.', example: 'p1' },
  slug: { text: 'The slug of the post, as in its address.', example: 'hello-world' },
  format: { text: 'The format of the ad.', example: 'BANNER' },
  status: { text: 'Only published posts can be read.', example: 'PUBLISHED' },
  limit: { text: 'How many items at most.', example: 10 },
  offset: { text: 'How many items to leave out from the start.', example: 0 },
  page: { text: 'The number of the page, from 1.', example: 1 },
  pageSize: { text: 'How many items a page has.', example: 10 },
  q: { text: 'What to search for: at least three characters once it is trimmed.', example: 'letterpress' },
  idempotencyKey: {
    text: 'Makes the delivery safe to repeat: for ten minutes, the same key with the same API key and body gets the same ads, which are counted once. With another body it is 400.',
    example: '7b0c9a52-4c0e-4d0a-9d55-0a4f6f1d2b3e',
  },
};

export const INTRODUCTION = `The published content of one blog, and its ads.

Every request carries the key of the blog in the header \`X-API-Key\`; the key alone decides which blog is read. Answers
about content have the form \`{ success, data, meta? }\`, those about ads are bare. Every failure has the same body, with
a stable \`code\`, and \`docs\` leads to a page that says what to do.

To try a request here, enter a key under Authentication: \`broadsheet keys create BLOG\` makes one.`;
