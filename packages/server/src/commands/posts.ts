import {
  listPosts as list,
  OperationError,
  previewLink,
  publishPost as publish,
  unpublishPost as unpublish,
} from '@broadsheet/management';
import type { PostFilter, PostRecord } from '@broadsheet/store';
import { type CommandFlags, withStore } from '../database/database.ts';
import { note, printResult } from '../program/output.ts';
import { table } from '../program/table.ts';

interface ListFlags extends CommandFlags {
  readonly status?: string;
  readonly search?: string;
  readonly limit: string;
  readonly offset: string;
}

const STATUSES = ['PUBLISHED', 'DRAFT', 'SCHEDULED'] as const;

export async function listPosts(blog: string, flags: ListFlags): Promise<void> {
  const filter: PostFilter = { status: readStatus(flags.status), search: flags.search };
  const range = { limit: readNumber('limit', flags.limit, 1), offset: readNumber('offset', flags.offset, 0) };
  const { items, total } = await withStore(flags, {}, (store) => list(store, blog, { ...filter, ...range }));
  const rows = items.map((post) => [post.id, post.status, dateOf(post), post.slug, post.title]);
  const shown = rows.length > 0 ? table(['POST', 'STATUS', 'DATE', 'SLUG', 'TITLE'], rows) : 'No posts match.';
  printResult(flags, { blog, posts: items, total }, shown);
  if (items.length < total) note(`${items.length} of ${total} posts; --offset and --limit show the others`);
}

function readStatus(typed: string | undefined): PostFilter['status'] {
  const status = STATUSES.find((name) => name === typed?.toUpperCase());
  if (typed === undefined || status) return status;
  const message = `expected ${STATUSES.join(', ')}, received ${JSON.stringify(typed)}`;
  throw new OperationError([{ at: 'status', message }]);
}

function readNumber(at: string, typed: string, least: number): number {
  if (/^\d{1,9}$/.test(typed) && Number(typed) >= least) return Number(typed);
  const message = `expected a whole number from ${least}, received ${JSON.stringify(typed)}`;
  throw new OperationError([{ at, message }]);
}

const dateOf = ({ publishedAt, scheduledAt }: PostRecord): string => scheduledAt ?? publishedAt ?? '-';

export async function publishPost(
  blog: string,
  id: string,
  flags: CommandFlags & { readonly at?: string },
): Promise<void> {
  const post = await withStore(flags, {}, (store) => publish(store, blog, id, { at: flags.at, now: Date.now() }));
  const isScheduled = post.status === 'SCHEDULED';
  const text = isScheduled
    ? `${id} will be published at ${post.scheduledAt}.`
    : `Published ${id}, dated ${post.publishedAt}.`;
  printResult(flags, post, text);
}

export async function unpublishPost(blog: string, id: string, flags: CommandFlags): Promise<void> {
  const post = await withStore(flags, {}, (store) => unpublish(store, blog, id, Date.now()));
  printResult(flags, post, `${id} is a draft: every server answers 404 for it within a second.`);
}

export async function previewPost(blog: string, id: string, flags: CommandFlags & { readonly url: string }) {
  const url = await withStore(flags, {}, (store) => previewLink(store, blog, id, { url: flags.url, now: Date.now() }));
  printResult(flags, { blog, post: id, url }, url);
  if (!flags.json) note('This link opens the post for 24 hours. Anyone who has it can read the post.');
}
