import type { EndpointId } from './endpoints.ts';

/** What each endpoint is for, in a line: for documents, so no program has to carry it. */
export const SUMMARIES: Readonly<Record<EndpointId, string>> = {
  'posts.list': 'List the published posts of the blog',
  'posts.get': 'Read a published post by its id',
  'posts.getBySlug': 'Read a published post by its slug',
  'categories.list': 'List all categories of the blog',
  'categories.get': 'Read a category',
  'categories.posts': 'List the published posts of a category',
  'tags.list': 'List all tags of the blog',
  'tags.get': 'Read a tag',
  'tags.posts': 'List the published posts of a tag',
  search: 'Search the titles and subtitles of published posts',
  'ads.deliver': 'Deliver one ad of a format and count its impression',
  'ads.deliverBatch': 'Deliver one ad per slot, none twice, and count their impressions',
  'ads.click': 'Register a click by the token of its delivery',
  'ads.impression': 'Accepted for compatibility, without effect',
};
