import { accept, defaultsOf, list, name, SnapshotPost, strictRecord } from '@broadsheet/contract';
import { imagesInMarkdown } from '../images/image-references.ts';
import type { LocalImages } from '../images/local-images.ts';
import { idOfPath } from '../named-id.ts';
import { quote, type Read } from '../problem.ts';
import { schemaProblems } from '../snapshot/snapshot-file.ts';
import { unstorableTexts } from '../text/storable-text.ts';
import { splitDatePrefix } from './calendar.ts';
import { FieldReader } from './fields.ts';
import { readFrontMatter } from './front-matter.ts';
import { type Misspelt, misspeltFields } from './misspelt.ts';
import { firstSentenceOf } from './plain-text.ts';

/** A post read from one Markdown file; its categories and tags are still names. */
export interface MarkdownPost {
  /** The path inside the folder, with `/`. */
  readonly path: string;
  readonly post: Omit<SnapshotPost, 'categoryIds' | 'tagIds' | 'createdAt' | 'updatedAt'>;
  /** `false` when the slug comes from the file name. */
  readonly slugWritten: boolean;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly misspelt: readonly Misspelt[];
  /** Notes on the corrections. */
  readonly notes: readonly string[];
}

const { categoryIds: _, tagIds: __, ...DEFAULTS } = defaultsOf(SnapshotPost);
/** A post with the names of its labels. */
const POST = strictRecord({ ...SnapshotPost.fields, categories: list(name), tags: list(name) });

/** Reads one Markdown file with front matter, and its local images. `path` is its path inside the folder. */
export function readMarkdownPost(text: string, path: string, images?: LocalImages): Read<MarkdownPost> {
  const matter = readFrontMatter(text, path);
  if (!matter.ok) return matter;
  const { body } = matter.value;
  const fields = new FieldReader(matter.value, path);
  const title = fields.text('title');
  const misspelt = misspeltFields(Object.keys(matter.value.fields));
  if (title === undefined) {
    const like = misspelt.find(({ meant }) => meant === 'title')?.field;
    const fix = like === undefined ? 'add a line "title: …" to the front matter' : `is "${like}" a misspelling?`;
    fields.report('title', `is required; ${fix}`);
  }
  const file = splitDatePrefix(nameOf(path));
  const slug = fields.text('slug');
  const published = fields.flagOrDate('published');
  const date =
    fields.date(['publishedAt', 'date'], file.date) ??
    (typeof published === 'string' ? published : (file.date ?? null));
  const scheduledAt = fields.date(['scheduledAt']) ?? null;
  const status = statusOf([fields.flag('draft'), published === false, saysDraft(fields)], scheduledAt);
  const subtitle = fields.text('subtitle', 'description', 'excerpt');
  const post = {
    ...DEFAULTS,
    id: idOfPath(path),
    title: title ?? '',
    subtitle: subtitle ?? firstSentenceOf(body, dialectOf(path)),
    content: images ? withImages(text, body, { images, path, fields }) : body,
    slug: slug ?? file.rest,
    status,
    // The date of a draft is only a plan: the post was not published then.
    publishedAt: status === 'PUBLISHED' ? date : null,
    scheduledAt,
    authorId: fields.names('author', false).join(', '),
    coverUrl: coverOf(fields, path, images),
  };
  const categories = [...fields.names('category', false), ...fields.names('categories', true)];
  const tags = fields.names('tags', true);
  const read = accept(POST, { ...post, categories, tags });
  const refused = read.ok ? [] : schemaProblems(read.fields, path);
  const wrong = [...unstorableTexts({ ...post, categories, tags }), ...refused];
  const problems = [...fields.problems, ...wrong.map(({ at, message }) => ({ at: path, message: `${at} ${message}` }))];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    value: { path, post, slugWritten: slug !== undefined, categories, tags, misspelt, notes: fields.notes },
  };
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
  const cover = fields.url('cover');
  const url = cover ?? fields.url('image');
  if (url === undefined || !images) return url ?? null;
  const { problems, notes } = fields;
  const at = () => fields.at(cover === undefined ? 'image' : 'cover');
  return images.rewrite(url, [{ from: 0, to: url.length, url, kind: 'cover' }], { path, at, problems, notes });
}

/** A single field that marks the post as a draft is enough, so that no other field can publish it by accident. */
function statusOf(drafts: readonly boolean[], scheduledAt: string | null): SnapshotPost['status'] {
  if (drafts.includes(true)) return 'DRAFT';
  return scheduledAt === null ? 'PUBLISHED' : 'SCHEDULED';
}

/** Whether `status` marks the post as a draft. An unknown value is refused, because it might mean that. */
function saysDraft(fields: FieldReader): boolean {
  const status = fields.text('status');
  if (status === undefined || /^publi(?:c|sh|shed)$/i.test(status)) return false;
  if (/^scheduled$/i.test(status)) {
    if (fields.date(['scheduledAt']) === undefined)
      fields.report('status', 'is scheduled; add a line "scheduledAt: …"');
    return false;
  }
  if (!/^(?:draft|private|hidden|unpublished|pending)$/i.test(status)) {
    fields.report('status', `expected draft, published or scheduled, received ${quote(status)}`);
  }
  return true;
}

/** The file name without its extension; an `index` file has the name of its folder. */
function nameOf(path: string): string {
  const parts = path.split('/');
  const name = (parts.at(-1) ?? path).replace(/\.[^.]+$/, '');
  return (name.toLowerCase() === 'index' ? parts.at(-2) : undefined) ?? name;
}
