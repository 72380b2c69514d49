import { defaultsOf, SnapshotPost } from '@broadsheet/contract';
import { readDate } from '../markdown/calendar.ts';
import { firstSentence } from '../text/first-sentence.ts';
import type { GhostPost } from './ghost-tables.ts';

/** What stands in a Ghost export for the address of the site. */
const SITE = /__GHOST_URL__/g;

const DEFAULTS = defaultsOf(SnapshotPost);

/** What a Ghost post is in Broadsheet, its relations aside. */
export function postOfGhost(
  post: GhostPost,
  relations: Pick<SnapshotPost, 'authorId' | 'categoryIds' | 'tagIds'>,
): SnapshotPost {
  const status = statusOf(post);
  const date = readDate(post.published_at ?? '') ?? null;
  const createdAt = readDate(post.created_at ?? '');
  const updatedAt = readDate(post.updated_at ?? '');
  return {
    ...DEFAULTS,
    id: post.id,
    title: post.title,
    subtitle: post.custom_excerpt?.trim() || firstSentence(post.plaintext ?? ''),
    content: (post.html ?? '').replace(SITE, ''),
    slug: post.slug,
    status,
    // Ghost keeps the moment a scheduled post will appear in the same column.
    publishedAt: status === 'PUBLISHED' ? date : null,
    scheduledAt: status === 'SCHEDULED' ? date : null,
    coverUrl: post.feature_image?.replace(SITE, '') || null,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...relations,
  };
}

/** Broadsheet has no members: what Ghost shows to some of its readers stays a draft, so that it is not given to all. */
function statusOf({ status, visibility }: GhostPost): SnapshotPost['status'] {
  if (isForMembers(visibility)) return 'DRAFT';
  if (status === 'published') return 'PUBLISHED';
  return status === 'scheduled' ? 'SCHEDULED' : 'DRAFT';
}

export function isForMembers(visibility: string | null | undefined): boolean {
  return visibility !== undefined && visibility !== null && visibility !== 'public';
}

export function mentionsSite({ html, feature_image }: GhostPost): boolean {
  return `${html ?? ''} ${feature_image ?? ''}`.includes('__GHOST_URL__');
}
