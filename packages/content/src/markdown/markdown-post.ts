import { defaultsOf, SnapshotPost } from '@broadsheet/contract';
import { idOfPath } from '../named-id.ts';
import { quote, type Read } from '../problem.ts';
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
  /** What was corrected. */
  readonly notes: readonly string[];
}

const { categoryIds: _, tagIds: __, ...DEFAULTS } = defaultsOf(SnapshotPost);

/** Reads one Markdown file with front matter. `path` is its path inside the folder. */
export function readMarkdownPost(text: string, path: string): Read<MarkdownPost> {
  const matter = readFrontMatter(text, path);
  if (!matter.ok) return matter;
  const { body } = matter.value;
  const fields = new FieldReader(matter.value, path);
  const title = fields.text('title');
  const misspelt = misspeltFields(Object.keys(matter.value.fields));
  if (title === undefined) {
    const like = misspelt.find(({ meant }) => meant === 'title')?.field;
    const fix = like === undefined ? 'add a line "title: …" to the front matter' : `is "${like}" a misspelling?`;
    fields.refuse('title', `is required; ${fix}`);
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
    subtitle: subtitle ?? firstSentenceOf(body, path.toLowerCase().endsWith('.mdx') ? 'mdx' : 'md'),
    content: body,
    slug: slug ?? file.rest,
    status,
    // The date of a draft is only a plan: the post was not published then.
    publishedAt: status === 'PUBLISHED' ? date : null,
    scheduledAt,
    authorId: fields.names('author', false).join(', '),
    coverUrl: fields.url('cover', 'image') ?? null,
  };
  const categories = [...fields.names('category', false), ...fields.names('categories', true)];
  const tags = fields.names('tags', true);
  const unstorable = unstorableTexts({ ...post, categories, tags }).map(({ at, message }) => ({
    at: path,
    message: `${at} ${message}`,
  }));
  const problems = [...fields.problems, ...unstorable];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    value: { path, post, slugWritten: slug !== undefined, categories, tags, misspelt, notes: fields.notes },
  };
}

/** One field that marks the post as a draft is enough, so that no other field can publish it by accident. */
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
      fields.refuse('status', 'is scheduled; add a line "scheduledAt: …"');
    return false;
  }
  if (!/^(?:draft|private|hidden|unpublished|pending)$/i.test(status)) {
    fields.refuse('status', `expected draft, published or scheduled, received ${quote(status)}`);
  }
  return true;
}

/** The file name without its extension; an `index` file has the name of its folder. */
function nameOf(path: string): string {
  const parts = path.split('/');
  const name = (parts.at(-1) ?? path).replace(/\.[^.]+$/, '');
  return (name.toLowerCase() === 'index' ? parts.at(-2) : undefined) ?? name;
}
