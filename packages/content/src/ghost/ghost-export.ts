import { accept, Snapshot, type SnapshotInput, type SnapshotPost, zone } from '@broadsheet/contract';
import { validate } from '@broadsheet/contract/schemas';
import { manyNotes } from '@broadsheet/core';
import { AHEAD, isAhead, scheduleAhead } from '../dated-ahead.ts';
import { type ImageReference, imagesInHtml } from '../images/image-references.ts';
import type { LocalImages, ReferringFile } from '../images/local-images.ts';
import { readDateInUtc } from '../markdown/calendar.ts';
import { slugify } from '../named-id.ts';
import type { NotedSnapshot } from '../noted-snapshot.ts';
import { type ContentProblem, failedRead, type Read } from '../problem.ts';
import { repeats } from '../snapshot/snapshot-checks.ts';
import { schemaProblems } from '../snapshot/snapshot-file.ts';
import { unstorableTexts } from '../text/storable-text.ts';
import {
  emailOnlyPosts,
  isForMembers,
  mentionsSite,
  postOfGhost,
  publicTags,
  relationsOf,
  SITE,
  timestampsOf,
} from './ghost-post.ts';
import { type GhostPost, GhostTables, type GhostTag } from './ghost-tables.ts';

/** Whether parsed JSON is a Ghost export: `{ "db": [{ meta, data }] }`, or `{ meta, data }` in older versions. */
export function isGhostExport(json: unknown): json is object {
  return has(json, 'db') || (has(json, 'data') && has(json, 'meta'));
}

interface GhostOptions {
  readonly file: string;
  readonly blog?: string | undefined;
  readonly now: number;
  readonly images?: LocalImages | undefined;
}

/** Reads a parsed Ghost export as one blog, including drafts and scheduled posts. Pages are left out. */
export function readGhostExport(json: object, { file, blog, now, images }: GhostOptions): Read<NotedSnapshot> {
  const found = tablesIn(json);
  if (!found) return failedRead(file, 'is a Ghost export without data; expected db.0.data with a list of posts');
  const read = validate(GhostTables, found.data, found.at);
  if (!read.ok) return { ok: false, problems: schemaProblems(read.fields, file) };
  const tables = read.value;
  const imported = tables.posts
    .map((post, index) => ({ post, index }))
    .filter(({ post }) => leftOut(post) === undefined);
  const nth = (index: number): string => [...found.at, 'posts', imported[index]?.index].join('.');
  const missing: ContentProblem[] = [];
  const notes: string[] = [];
  const rows = imported.map(({ post }, index) =>
    images ? withImages(post, images, { path: file, at: () => nth(index), problems: missing, notes }) : post,
  );
  const siteName = siteNameOf(tables);
  const name = siteName ?? blog ?? file.replace(/\.json$/i, '');
  const relations = relationsOf(tables);
  const dated = rows.map((row) => postOfGhost(row, relations(row)));
  const ahead = dated.filter((post) => isAhead(post, now)).map(({ slug }) => slug);
  const posts = dated.map((post) => scheduleAhead(post, now));
  const snapshot = snapshotOf(tables, { id: blog ?? (slugify(name) || 'ghost'), name }, posts);
  const problems = [
    ...refusedBy(snapshot, file),
    ...missing,
    ...repeats(rows, 'id', nth),
    ...repeats(rows, 'slug', nth),
    ...repeats(tables.tags, 'id', (index) => [...found.at, 'tags', index].join('.')),
    ...undated(rows, nth),
    ...unstorableTexts({ posts: tables.posts, tags: tables.tags }, found.at.join('.')),
  ];
  return problems.length > 0
    ? { ok: false, problems }
    : {
        ok: true,
        value: {
          snapshot,
          unnamed: siteName === undefined,
          notes: [...ghostNotes(tables, rows), ...notes, ...manyNotes(ahead, AHEAD)],
          ...(images && { images: images.images }),
        },
      };
}

function snapshotOf(
  tables: GhostTables,
  blog: { readonly id: string; readonly name: string },
  posts: readonly SnapshotPost[],
): SnapshotInput {
  const sections = new Set(posts.flatMap(({ categoryIds }) => categoryIds));
  const tags = publicTags(tables.tags);
  const categories = tags
    .filter(({ id }) => sections.has(id))
    .map((tag) => ({ ...labelOf(tag), description: tag.description ?? '' }));
  return { blogs: [{ ...blog, ...zoneOf(tables), categories, tags: tags.map(labelOf), posts: [...posts] }] };
}

function siteNameOf(tables: GhostTables): string | undefined {
  return settingOf(tables, 'title')?.trim() || undefined;
}

/** The time zone of the site. Ghost stores every date in UTC. */
function zoneOf(tables: GhostTables): { readonly timeZone?: string } {
  const read = accept(zone, settingOf(tables, 'timezone'));
  return read.ok ? { timeZone: read.value } : {};
}

function settingOf({ settings }: GhostTables, name: string): string | undefined {
  const value = settings.find(({ key }) => key === name)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Values that the rules of snapshots refuse, such as a long title. */
function refusedBy(snapshot: SnapshotInput, file: string): ContentProblem[] {
  const read = accept(Snapshot, snapshot);
  return read.ok ? [] : schemaProblems(read.fields, file);
}

const has = (json: unknown, key: string): boolean => typeof json === 'object' && json !== null && key in json;

function tablesIn(json: object): { readonly data: object; readonly at: readonly string[] } | undefined {
  const [holder, at] = 'db' in json && Array.isArray(json.db) ? [json.db[0], ['db', '0', 'data']] : [json, ['data']];
  const data: unknown = has(holder, 'data') ? holder.data : undefined;
  return typeof data === 'object' && data !== null && 'posts' in data ? { data, at } : undefined;
}

const labelOf = (tag: GhostTag) => ({ id: tag.id, name: tag.name, ...timestampsOf(tag) });

/** The post with the URLs of the images that are in the folder of the site. */
function withImages(post: GhostPost, images: LocalImages, file: ReferringFile): GhostPost {
  const rewrite = (text: string, references: readonly ImageReference[]): string =>
    images.rewrite(
      text,
      references
        .filter(({ url }) => url.startsWith(SITE_IMAGES))
        .map((one) => ({ ...one, url: one.url.slice(SITE.length + 1) })),
      file,
    );
  const { html, feature_image: cover } = post;
  return {
    ...post,
    ...(html && { html: rewrite(html, imagesInHtml(html)) }),
    ...(cover && { feature_image: rewrite(cover, [{ from: 0, to: cover.length, url: cover, kind: 'image' }]) }),
  };
}

const SITE_IMAGES = `${SITE}/content/images/`;

function undated(rows: GhostTables['posts'], nth: (index: number) => string) {
  return rows.flatMap(({ published_at }, index) =>
    published_at && readDateInUtc(published_at) === undefined
      ? [{ at: `${nth(index)}.published_at`, message: `expected a date, received ${JSON.stringify(published_at)}` }]
      : [],
  );
}

/** The kind of a row of Ghost's posts that is not imported. */
function leftOut({ type, page, status }: GhostPost): string | undefined {
  if (type === 'page' || page === true || page === 1) return 'page';
  return status === 'sent' ? 'post sent by email only' : undefined;
}

/** The maximum number of posts of a kind that a note names. */
const NAMED = 20;

/** Notes on what was left out or changed. */
function ghostNotes(tables: GhostTables, imported: readonly GhostPost[]): string[] {
  const emailOnly = emailOnlyPosts(tables);
  const internal = tables.tags.length - publicTags(tables.tags).length;
  return [
    ...[...Map.groupBy(tables.posts, leftOut)].flatMap(([what, posts]) => {
      const slugs = posts.slice(0, NAMED).map(({ slug }) => slug);
      const others = posts.length > NAMED ? ` and ${posts.length - NAMED} others` : '';
      return what === undefined
        ? []
        : count(posts.length, what, 'left out').map((note) => `${note}: ${slugs.join(', ')}${others}`);
    }),
    ...count(internal, 'internal tag', 'left out'),
    ...count(
      imported.filter(({ visibility }) => isForMembers(visibility)).length,
      'post for members',
      'imported as draft',
    ),
    ...count(imported.filter(({ id }) => emailOnly.has(id)).length, 'post for e-mail only', 'imported as draft'),
    ...count(imported.filter(hasNoHtml).length, 'post without HTML', 'imported without text'),
    ...count(
      imported.filter(mentionsSite).length,
      'post that links to files of the Ghost site',
      'links rewritten to start with /',
    ),
  ];
}

const hasNoHtml = ({ html, lexical, mobiledoc }: GhostPost): boolean => !html && Boolean(lexical || mobiledoc);

const count = (number: number, what: string, outcome: string): string[] =>
  number === 0
    ? []
    : [`${outcome}: ${number} ${number === 1 ? what : what.replace(/^\w+(?: tag)?/, (word) => `${word}s`)}`];
