import type { SnapshotPost } from '@broadsheet/contract';

type Summarized = Pick<SnapshotPost, 'status' | 'publishedAt' | 'authorId'>;

/** What an import makes of a source, such as `3 posts: 2 published, 1 draft, 0 scheduled; 2 without a date`. */
export function summaryOf(posts: readonly Summarized[]): string {
  const count = (matches: (post: Summarized) => boolean): number => posts.filter(matches).length;
  const drafts = count(({ status }) => status === 'DRAFT');
  const published = count(({ status }) => status === 'PUBLISHED');
  const missing = [
    [count(({ status, publishedAt }) => status === 'PUBLISHED' && publishedAt === null), 'without a date'],
    [count(({ authorId }) => authorId === ''), 'without an author'],
  ] as const;
  const lacks = missing.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []));
  const states = [
    `${published} published`,
    `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}`,
    `${posts.length - published - drafts} scheduled`,
  ];
  const total = `${posts.length} ${posts.length === 1 ? 'post' : 'posts'}: ${states.join(', ')}`;
  return lacks.length > 0 ? `${total}; ${lacks.join(', ')}` : total;
}
