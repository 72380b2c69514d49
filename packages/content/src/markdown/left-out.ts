import { type FieldReader, flagIn } from './fields.ts';

/** A Markdown file that is not a post. */
export interface LeftOut {
  readonly path: string;
  readonly leftOut: 'page' | 'section' | 'document';
}

/** What notes call the files that are left out. */
export const KINDS = {
  page: ['page', 'pages'],
  section: ['section', 'sections'],
  document: ['document about the folder', 'documents about the folder'],
} as const satisfies Record<LeftOut['leftOut'], readonly [one: string, several: string]>;

const PAGE = /^(?:pages?|categor(?:y|ies)|tags?|archives?|about|links?|friends|search|home|index|404)$/i;
const PAGE_PATH = /^(?:.*\/)?(?:404|(?:tags?|categories|archives?)\/index)\.\w+$/i;
const DOCUMENT =
  /(?:^|\/)(?:readme|contributing|licen[cs]e|changelog|code[-_ ]of[-_ ]conduct|security|authors|support|governance)\.\w+$/i;

/** Why a file is not a post: it is a page of its site, a section, or a document about the folder itself. */
export function kindLeftOut(fields: FieldReader, path: string, hasHeader: boolean): LeftOut['leftOut'] | undefined {
  if (!hasHeader) return DOCUMENT.test(path) ? 'document' : undefined;
  if (/(?:^|\/)_index(?:\.[\w-]+)?\.\w+$/i.test(path)) return 'section';
  const kinds = fields.of('kind').map(({ value }) => String(value).trim());
  const isPage = fields.of('isPage').some(({ value }) => flagIn(value) === true);
  return isPage || kinds.some((kind) => PAGE.test(kind)) || PAGE_PATH.test(path) ? 'page' : undefined;
}
