import type { PostTotals } from '@broadsheet/store';

/** What an import makes of the posts of a source, such as `3 posts: 2 published, 1 draft, 0 scheduled; 2 without a date`. */
export function summaryOf({ published, drafts, scheduled, undated, withoutAuthor }: PostTotals): string {
  const posts = published + drafts + scheduled;
  const missing = [
    [undated, 'without a date'],
    [withoutAuthor, 'without an author'],
  ] as const;
  const lacks = missing.flatMap(([number, lack]) => (number > 0 ? [`${number} ${lack}`] : []));
  const states = [`${published} published`, `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}`, `${scheduled} scheduled`];
  const total = `${posts} ${posts === 1 ? 'post' : 'posts'}: ${states.join(', ')}`;
  return lacks.length > 0 ? `${total}; ${lacks.join(', ')}` : total;
}
