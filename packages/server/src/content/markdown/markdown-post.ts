import type { SnapshotPost } from '@broadsheet/contract';
import { idOfPath } from '../named-id.ts';
import type { Read } from '../problem.ts';
import { unstorableTexts } from '../storable-text.ts';
import { splitDatePrefix } from './calendar.ts';
import { fieldReader } from './fields.ts';
import { readFrontMatter } from './front-matter.ts';
import { firstSentenceOf } from './plain-text.ts';

/** A post as one Markdown file gives it: categories and tags still by name. */
export interface MarkdownPost {
  /** The path inside the folder, with `/`. */
  readonly path: string;
  readonly post: Omit<SnapshotPost, 'categoryIds' | 'tagIds' | 'createdAt' | 'updatedAt'>;
  /** `false` when the slug comes from the file name. */
  readonly slugWritten: boolean;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

/** Reads one Markdown file with front matter. `path` is its path inside the folder. */
export function readMarkdownPost(text: string, path: string): Read<MarkdownPost> {
  const matter = readFrontMatter(text, path);
  if (!matter.ok) return matter;
  const { body } = matter.value;
  const fields = fieldReader(matter.value, path);
  const title = fields.text('title');
  if (title === undefined) fields.refuse('title', 'is required; add a line "title: …" to the front matter');
  const file = splitDatePrefix(nameOf(path));
  const slug = fields.text('slug');
  const date = fields.date('publishedAt', 'date') ?? file.date ?? null;
  const scheduledAt = fields.date('scheduledAt') ?? null;
  const status = statusOf(fields.flag('draft'), scheduledAt);
  const subtitle = fields.text('subtitle', 'description', 'excerpt');
  const post = {
    id: idOfPath(path),
    title: title ?? '',
    subtitle: subtitle ?? firstSentenceOf(body, path.toLowerCase().endsWith('.mdx') ? 'mdx' : 'md'),
    content: body,
    slug: slug ?? file.rest,
    status,
    // A date on a draft is the author's plan: nothing was published then.
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
  return { ok: true, value: { path, post, slugWritten: slug !== undefined, categories, tags } };
}

function statusOf(draft: boolean, scheduledAt: string | null): SnapshotPost['status'] {
  if (draft) return 'DRAFT';
  return scheduledAt === null ? 'PUBLISHED' : 'SCHEDULED';
}

/** The file name without its ending; a post that is a folder with an `index` in it has the folder's name. */
function nameOf(path: string): string {
  const parts = path.split('/');
  const name = (parts.at(-1) ?? path).replace(/\.[^.]+$/, '');
  return (name.toLowerCase() === 'index' ? parts.at(-2) : undefined) ?? name;
}
