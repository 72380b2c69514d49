import { isForMembers, mentionsSite } from './ghost-post.ts';
import { publicTags } from './ghost-relations.ts';
import type { GhostPost, GhostTables } from './ghost-tables.ts';

/** Why a row of Ghost's posts is no post here; `undefined` for one that is. */
export function leftOut({ type, page, status }: GhostPost): string | undefined {
  if (type === 'page' || page === true || page === 1) return 'a page';
  return status === 'sent' ? 'sent by email only' : undefined;
}

/** What an operator should know of an export that was read: left out, fixed, made a draft. */
export function ghostNotes(tables: GhostTables, imported: readonly GhostPost[]): string[] {
  const internal = tables.tags.length - publicTags(tables.tags).length;
  return [
    ...tables.posts.flatMap((post) => {
      const why = leftOut(post);
      return why === undefined ? [] : [`"${post.title}" (${post.slug}) is left out: it is ${why}`];
    }),
    ...count(internal, 'internal tag', 'left out'),
    ...count(
      imported.filter(({ visibility }) => isForMembers(visibility)).length,
      'post for members',
      'imported as draft',
    ),
    ...count(imported.filter(hasNoHtml).length, 'post without HTML', 'imported without text'),
    ...count(
      imported.filter(mentionsSite).length,
      'post that links to files of the Ghost site',
      'linked from / of the new one',
    ),
  ];
}

const hasNoHtml = ({ html, lexical, mobiledoc }: GhostPost): boolean => !html && Boolean(lexical || mobiledoc);

const count = (number: number, what: string, outcome: string): string[] =>
  number === 0
    ? []
    : [`${outcome}: ${number} ${number === 1 ? what : what.replace(/^\w+(?: tag)?/, (word) => `${word}s`)}`];
