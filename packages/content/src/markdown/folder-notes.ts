import { KINDS, type LeftOut } from './left-out.ts';
import type { MarkdownPost } from './markdown-post.ts';

/** The number of files that a note names; the rest are counted. */
const NAMED = 20;

const namesOf = (paths: readonly string[]): string =>
  paths.slice(0, NAMED).join(', ') + (paths.length > NAMED ? ` and ${paths.length - NAMED} others` : '');

/** Notes on the files that are not posts. */
export function leftOutNotes(files: readonly LeftOut[]): string[] {
  return [...Map.groupBy(files, ({ leftOut }) => leftOut)].map(([kind, group]) => {
    const [one, several] = KINDS[kind];
    return `left out: ${group.length} ${group.length === 1 ? one : several}: ${namesOf(group.map(({ path }) => path))}`;
  });
}

/** Notes on the posts that are drafts because something may hide them. */
export function doubtNotes(posts: readonly MarkdownPost[]): string[] {
  const doubts = posts.flatMap(({ path, doubts }) => doubts.map((doubt) => ({ path, doubt })));
  return [...Map.groupBy(doubts, ({ doubt }) => doubt)].map(([doubt, files]) => {
    const drafts = files.length === 1 ? '1 post became a draft' : `${files.length} posts became drafts`;
    return `${doubt} may mean that a post is hidden: ${drafts}: ${namesOf(files.map(({ path }) => path))}`;
  });
}

/** A note on the posts without a field "title". */
export function titleNotes(posts: readonly MarkdownPost[]): string[] {
  const paths = posts.flatMap(({ path, titleFrom }) => (titleFrom ? [path] : []));
  if (paths.length === 0) return [];
  const files = paths.length === 1 ? '1 file has' : `${paths.length} files have`;
  return [`${files} no title; it is the first heading or else the name of the file: ${namesOf(paths)}`];
}
