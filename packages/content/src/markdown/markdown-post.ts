import { accept, defaultsOf, list, name, SnapshotPost, type SourcePostInput, strictRecord } from '@broadsheet/contract';
import { settlePost } from '@broadsheet/core';
import { imagesInMarkdown } from '../images/image-references.ts';
import type { LocalImages } from '../images/local-images.ts';
import { idOfPath } from '../named-id.ts';
import type { ContentProblem, Read } from '../problem.ts';
import { schemaProblems } from '../snapshot/snapshot-file.ts';
import { decoded } from '../text/decoded.ts';
import { unstorableTexts } from '../text/storable-text.ts';
import { splitDatePrefix } from './calendar.ts';
import { dateIn, FieldReader, flagIn } from './fields.ts';
import { readFrontMatter } from './front-matter.ts';
import { kindLeftOut, type LeftOut } from './left-out.ts';
import { firstHeadingOf, firstSentenceOf } from './plain-text.ts';
import { visibilityOf } from './visibility.ts';

/** A post read from one Markdown file; its categories and tags are still names. */
export interface MarkdownPost {
  /** The path inside the folder, with `/`. */
  readonly path: string;
  readonly post: Omit<SourcePostInput, 'categoryIds' | 'tagIds' | 'createdAt' | 'file'> & Pick<SnapshotPost, 'status'>;
  /** `false` when the slug comes from the file name. */
  readonly slugWritten: boolean;
  /** Where the title comes from if no field has it. */
  readonly titleFrom?: 'heading' | 'name';
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** What may hide the post and is not understood; see `visibilityOf`. */
  readonly doubts: readonly string[];
  /** The names of the fields that are not read. */
  readonly unread: readonly string[];
  /** Notes on the corrections. */
  readonly notes: readonly string[];
}

export interface MarkdownContext {
  readonly images?: LocalImages | undefined;
}

const { categoryIds: _, tagIds: __, ...DEFAULTS } = defaultsOf(SnapshotPost);
/** A post with the names of its labels. */
const POST = strictRecord({ ...SnapshotPost.fields, categories: list(name), tags: list(name) });

/** Reads one Markdown file and its local images. `path` is its path inside the folder. */
export function readMarkdownPost(text: string, path: string, context: MarkdownContext): Read<MarkdownPost | LeftOut> {
  const matter = readFrontMatter(text, path);
  if (!matter.ok) return matter;
  const { body, hasHeader } = matter.value;
  const fields = new FieldReader(matter.value, path);
  const leftOut = kindLeftOut(fields, path, hasHeader);
  if (leftOut) return { ok: true, value: { path, leftOut } };

  const file = splitDatePrefix(nameOf(path));
  const title = fields.text('title');
  const heading = title === undefined ? firstHeadingOf(body) : undefined;
  const slug = fields.text('slug') ?? slugOfAddress(fields);
  const date = fields.date('date', file.date) ?? dateInShowing(fields) ?? fields.date('release') ?? file.date ?? null;
  const updatedAt = fields.date('updated');
  const described = {
    ...DEFAULTS,
    id: idOfPath(path),
    title: title ?? heading ?? file.rest,
    subtitle: fields.text('subtitle') ?? firstSentenceOf(body, dialectOf(path)),
    content: context.images ? withImages(text, body, { images: context.images, path, fields }) : body,
    slug: slug ?? file.rest,
    authorId: fields.names('author', false).join(', '),
    coverUrl: coverOf(fields, path, context.images),
    ...(updatedAt !== undefined && { updatedAt }),
  };
  const categories = [...fields.names('category', false), ...fields.names('categories', true)];
  const tags = fields.names('tags', true);
  // All other fields have been read by now, so that the rest can be examined.
  const isPost = title !== undefined || date !== null;
  const { doubts, ...visibility } = visibilityOf(fields, { path, date, isPost });
  const publishedAt = visibility.status === 'PUBLISHED' ? date : null;
  const post = { ...described, ...visibility, publishedAt };

  const problems = [...fields.problems, ...refused({ ...settlePost(post, { now: 0 }), categories, tags }, path)];
  if (problems.length > 0) return { ok: false, problems };
  const { notes } = fields;
  const unread = fields.unread.map(({ name }) => name);
  const labels = { categories, tags };
  const titleFrom = title !== undefined ? undefined : heading === undefined ? 'name' : 'heading';
  const value = { path, post, slugWritten: slug !== undefined, ...labels, doubts, unread, notes };
  return { ok: true, value: { ...value, ...(titleFrom && { titleFrom }) } };
}

/** What no store accepts. */
function refused(post: object, path: string): ContentProblem[] {
  const read = accept(POST, post);
  const wrong = [...unstorableTexts(post), ...(read.ok ? [] : schemaProblems(read.fields, path))];
  return wrong.map(({ at, message }) => ({ at: path, message: `${at} ${message}` }));
}

/** The date in a field such as `published`, which some generators use as a switch. */
function dateInShowing(fields: FieldReader): string | undefined {
  return fields.of('showing').flatMap(({ value }) => dateIn(value) ?? [])[0];
}

/**
 * The slug in the address that a post had on its old site, such as `hello` in `/2026/01/hello/`. A pattern, such as
 * `/:year/:title/`, has none.
 */
function slugOfAddress(fields: FieldReader): string | undefined {
  const address = fields.text('address');
  if (address === undefined || flagIn(address) === false || /[{}:*]/.test(address.replace(/^https?:/i, '')))
    return undefined;
  const [path = ''] = address.split(/[?#]/, 1);
  const parts = path.split('/').filter((part) => part !== '' && !/^index\.\w+$/i.test(part));
  const last = decoded(parts.at(-1) ?? '').replace(/\.(?:html?|php|aspx?|md)$/i, '');
  return last === '' ? undefined : last;
}

const dialectOf = (path: string) => (path.toLowerCase().endsWith('.mdx') ? 'mdx' : 'md');

interface ImageContext {
  readonly images: LocalImages;
  readonly path: string;
  readonly fields: FieldReader;
}

/** The body with the URLs of its local images. */
function withImages(text: string, body: string, { images, path, fields }: ImageContext): string {
  if (!MAY_HAVE_IMAGES.test(body)) return body;
  const { references, unreadable } = imagesInMarkdown(body, dialectOf(path));
  const { problems, notes } = fields;
  const start = text.length - body.length;
  const placeOf = lineCounter(text);
  for (const offset of unreadable) {
    const message = 'the text has too many brackets or levels here to find its images; simplify it';
    problems.push({ at: `${path}:${placeOf(start + offset)}`, message });
  }
  const lineOf = lineCounter(text);
  return images.rewrite(body, references, { path, at: (from) => `${path}:${lineOf(start + from)}`, problems, notes });
}

/** Returns the lines of ascending offsets. */
function lineCounter(text: string): (offset: number) => number {
  let [line, counted] = [1, 0];
  return (offset) => {
    line += text.slice(counted, offset).split('\n').length - 1;
    counted = offset;
    return line;
  };
}

/** Texts without any of these have no local images, which saves parsing them. */
const MAY_HAVE_IMAGES = /!\[|<(?:img|source|video)\b|\.(?:png|jpe?g|gif|webp|avif)\b/i;

function coverOf(fields: FieldReader, path: string, images: LocalImages | undefined): string | null {
  const { name = '', url } = fields.url('cover') ?? {};
  if (url === undefined || !images) return url ?? null;
  const { problems, notes } = fields;
  const at = () => fields.at(name);
  return images.rewrite(url, [{ from: 0, to: url.length, url, kind: 'cover' }], { path, at, problems, notes });
}

/** The file name without its extension; an `index` file has the name of its folder. */
function nameOf(path: string): string {
  const parts = path.split('/');
  const name = (parts.at(-1) ?? path).replace(/\.[^.]+$/, '');
  return (name.toLowerCase() === 'index' ? parts.at(-2) : undefined) ?? name;
}
