import { defaultsOf, SnapshotPost } from '@broadsheet/contract';
import { readDateInUtc } from '../markdown/calendar.ts';
import { firstSentence } from '../text/first-sentence.ts';
import type { GhostPost, GhostTables, GhostTag } from './ghost-tables.ts';

/** The placeholder for the URL of the site in a Ghost export. */
export const SITE = '__GHOST_URL__';

const DEFAULTS = defaultsOf(SnapshotPost);

/** What other tables say about a post: its authors and labels, and whether it is for the readers of e-mails only. */
type Relations = Pick<SnapshotPost, 'authorId' | 'categoryIds' | 'tagIds'> & { readonly emailOnly: boolean };

/** Converts a Ghost post, except its relations. */
export function postOfGhost(post: GhostPost, { emailOnly, ...relations }: Relations): SnapshotPost {
  const status = emailOnly ? 'DRAFT' : statusOf(post);
  const date = readDateInUtc(post.published_at ?? '') ?? null;
  return {
    ...DEFAULTS,
    id: post.id,
    title: post.title,
    subtitle: post.custom_excerpt?.trim() || firstSentence(post.plaintext ?? ''),
    content: (post.html ?? '').replaceAll(SITE, ''),
    slug: post.slug,
    status,
    // Ghost stores the time of a scheduled post in the same column.
    publishedAt: status === 'PUBLISHED' ? date : null,
    scheduledAt: status === 'SCHEDULED' ? date : null,
    coverUrl: post.feature_image?.replaceAll(SITE, '') || null,
    ...timestampsOf(post),
    ...relations,
  };
}

/** When a post or a tag was created and last changed, as far as these are valid dates. */
export function timestampsOf({ created_at, updated_at }: GhostPost | GhostTag) {
  const [createdAt, updatedAt] = [readDateInUtc(created_at ?? ''), readDateInUtc(updated_at ?? '')];
  return { ...(createdAt && { createdAt }), ...(updatedAt && { updatedAt }) };
}

/** Broadsheet has no members: a post for members becomes a draft, so that it is not published to everyone. */
function statusOf({ status, visibility }: GhostPost): SnapshotPost['status'] {
  if (isForMembers(visibility)) return 'DRAFT';
  if (status === 'published') return 'PUBLISHED';
  return status === 'scheduled' ? 'SCHEDULED' : 'DRAFT';
}

export function isForMembers(visibility: string | null | undefined): boolean {
  return visibility !== undefined && visibility !== null && visibility !== 'public';
}

export function mentionsSite({ html, feature_image }: GhostPost): boolean {
  return `${html ?? ''} ${feature_image ?? ''}`.includes(SITE);
}

/** The tags that readers see: names with a leading `#` are internal tags of the site's theme. */
export function publicTags(tags: readonly GhostTag[]): GhostTag[] {
  return tags.filter(({ name, visibility }) => visibility !== 'internal' && !name.startsWith('#'));
}

/**
 * Finds the relations of a post. Ghost has no categories: the first tag of a post, its `primary_tag`, also becomes its
 * category. Authors are named by their slugs, as in Ghost's URLs.
 */
export function relationsOf(tables: GhostTables): (post: GhostPost) => Relations {
  const known = new Set(publicTags(tables.tags).map(({ id }) => id));
  const users = new Map(tables.users.map(({ id, slug }) => [id, slug]));
  const tags = linked(tables.posts_tags.map((row) => ({ ...row, id: row.tag_id })));
  const authors = linked(tables.posts_authors.map((row) => ({ ...row, id: row.author_id })));
  const emailOnly = emailOnlyPosts(tables);
  return ({ id, author_id }) => {
    const tagIds = (tags.get(id) ?? []).filter((tag) => known.has(tag));
    const ids = authors.get(id) ?? (author_id ? [author_id] : []);
    const authorId = ids.map((author) => users.get(author) ?? author).join(', ');
    return { authorId, categoryIds: tagIds.slice(0, 1), tagIds, emailOnly: emailOnly.has(id) };
  };
}

/** The ids of the posts that their site sends by e-mail and does not show. */
export const emailOnlyPosts = ({ posts_meta }: GhostTables): ReadonlySet<string> =>
  new Set(posts_meta.flatMap(({ post_id, email_only }) => (email_only ? [post_id] : [])));

/** The linked ids by post, in order and without duplicates. */
function linked(rows: readonly { post_id: string; id: string; sort_order: number | null }[]): Map<string, string[]> {
  const byPost = new Map<string, string[]>();
  for (const { post_id, id } of rows.toSorted((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0))) {
    const ids = byPost.get(post_id) ?? [];
    if (!ids.includes(id)) byPost.set(post_id, [...ids, id]);
  }
  return byPost;
}
