import { promisify } from 'node:util';
import { gunzip as gunzipWith, gzip as gzipWith } from 'node:zlib';
import { readUpload } from '@broadsheet/content';
import { accept, Snapshot, type SnapshotInput } from '@broadsheet/contract';
import { importContent, OperationError, putImages } from '@broadsheet/management';
import type { Hono } from 'hono';
import { type FormFields, managersOnly, type PanelEnv, textOf } from '../access/guard.tsx';
import { goTo, HEADERS, send } from '../access/send.ts';
import { type BlogVisit, logChange, mayManageAll, newPanelToken, panelPath } from '../access/visit.ts';
import type { Problems } from '../layout/form.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { compareBlogs } from './changes.ts';
import { ChangesPage, ImportPage, NewKeysPage } from './page.tsx';
import { alone, progressOf, type Report, withProgress } from './progress.ts';
import { nameOf, unpack } from './unpack.ts';

const [gzip, gunzip] = [promisify(gzipWith), promisify(gunzipWith)];
/** Milliseconds that reading a folder may take. */
export const READ_FOR = 60_000;

/** Imports of content: read and compared first, and written after a confirmation. */
export function importRoutes(app: Hono<PanelEnv>, options: PanelOptions): void {
  app.get('/panel/:blog/import', managersOnly, (c) => send(<ImportPage visit={c.get('blogVisit')} />));

  app.post('/panel/:blog/import', async (c) => {
    const visit = c.get('blogVisit');
    const form = c.get('form');
    const files = [form['file'] ?? [], form['folder'] ?? []].flat().filter((file) => file instanceof File);
    const name = files.length > 0 ? nameOf(files) : textOf(form, 'name');
    c.set('again', (problems) => <ImportPage visit={visit} problems={ownProblems(visit, problems)} file={name} />);
    return withProgress(c, async (report) => {
      await report({ words: 'Waiting for another import' });
      const run = { options, visit, report, allowMissing: form['allow-missing'] === 'yes' };
      return alone(() => (files.length > 0 ? look(run, files) : carryOut(run, form)));
    });
  });

  app.get('/panel/:blog/import/progress', (c) => Response.json(progressOf(c) ?? {}, { headers: HEADERS }));
}

interface ImportRun {
  readonly options: PanelOptions;
  readonly visit: BlogVisit;
  readonly report: Report;
  /** Whether posts are imported although their images are missing. */
  readonly allowMissing: boolean;
}

/** Shows what an import would change. */
async function look({ options, visit, report, allowMissing }: ImportRun, files: readonly File[]): Promise<Response> {
  const { store } = options;
  await report({ words: 'Reading the content' });
  const read = await readFor(visit, files, allowMissing);
  if (!read.ok) throw new OperationError(read.problems);
  const snapshot = checked(visit, read.snapshot);
  // A dry run writes everything and rolls it back, so problems that only the database detects are reported here, too.
  const onProgress = counting('Checking', snapshot, report);
  await importContent(store, { ...read, snapshot }, { now: visit.now, dryRun: true, onProgress });
  await report({ words: 'Comparing it with the blog' });
  const changes = [];
  for (const blog of snapshot.blogs) changes.push(compareBlogs(blog, await store.exportBlog(blog.id)));
  // Stored now, because the confirmation comes without the files; a prune removes images that are never confirmed.
  const { images = [] } = read;
  await putImages(store, visit.blog.id, images);
  const json = JSON.stringify({ snapshot, images: images.map(({ hash }) => hash) });
  const upload = { name: newPanelToken(), content: (await gzip(json)).toString('base64') };
  await store.saveUpload(visit.session, upload, visit.now);
  const { notes } = read;
  return send(<ChangesPage visit={visit} changes={changes} notes={notes} upload={upload.name} file={nameOf(files)} />);
}

const MISSING = 'The uploaded content is no longer stored: choose the file again.';

/** Writes what was previewed. */
async function carryOut({ options, visit, report }: ImportRun, form: FormFields): Promise<Response> {
  const { store, log } = options;
  await report({ words: 'Reading the stored upload' });
  const stored = await store.readUpload(visit.session, textOf(form, 'upload'), visit.now);
  if (stored === undefined) throw new OperationError(MISSING);
  const { snapshot: given, images } = JSON.parse((await gunzip(Buffer.from(stored, 'base64'))).toString());
  const snapshot = checked(visit, given);
  if ((await store.missingImages(visit.blog.id, images)).length > 0) throw new OperationError(MISSING);
  const prune = form['prune'] === 'yes';
  const onProgress = counting('Importing', snapshot, report);
  const imported = await importContent(store, { snapshot }, { now: visit.now, prune, onProgress });
  try {
    for (const { id, posts, newPosts } of imported) {
      const what = `imported “${textOf(form, 'name')}”: ${posts} posts, ${newPosts} of them new`;
      await logChange(store, { ...visit, blog: { ...visit.blog, id } }, what);
    }
  } catch (cause) {
    // The import is committed, and this response is the only one that shows its keys.
    log?.error({ cause }, 'an import was written, but not recorded in the log of the panel');
  }
  const keys = imported.flatMap(({ id, newKey }) => (newKey === undefined ? [] : [{ id, newKey }]));
  if (keys.length > 0) return send(<NewKeysPage visit={visit} keys={keys} />);
  return goTo(`${panelPath(visit.blog.id, 'posts')}?done=imported`);
}

/** Reports how many of the posts are done. */
function counting(doing: string, { blogs }: SnapshotInput, report: Report): (done: number) => Promise<void> {
  const total = blogs.reduce((sum, { posts = [] }) => sum + posts.length, 0);
  return (done) => report({ words: `${doing} ${total} ${total === 1 ? 'post' : 'posts'}`, done, total });
}

/** A snapshot names its own blogs; anything else becomes the blog of the page. */
async function readFor(
  { blog, origin }: BlogVisit,
  files: readonly File[],
  allowMissing: boolean,
): ReturnType<typeof readUpload> {
  const [name, unpacked] = [nameOf(files), await unpack(files)];
  const signal = AbortSignal.timeout(READ_FOR);
  const read = await readUpload(name, unpacked, { blog: blog.id, mediaUrl: origin, allowMissing, signal });
  if (read.ok) return { ...read, snapshot: { blogs: read.snapshot.blogs.map((one) => ({ ...one, name: blog.name })) } };
  const named = read.problems.some(({ code }) => code === 'NAMES_ITS_BLOGS');
  return named ? readUpload(name, unpacked) : read;
}

/** Checks content as a snapshot. Only people who manage all blogs may import keys and other blogs. */
function checked(visit: BlogVisit, given: unknown): SnapshotInput {
  const read = accept(Snapshot, given);
  if (!read.ok) throw new OperationError(read.fields.map(({ field, message }) => ({ at: field, message })));
  if (mayManageAll(visit)) return given as SnapshotInput;
  const { blogs } = given as SnapshotInput;
  const others = blogs.filter(({ id }) => id !== visit.blog.id);
  if (others.length > 0) {
    const message = `this page imports only into ${visit.blog.id}; to import this blog here, change its id in the file`;
    throw new OperationError(others.map(({ id }) => ({ at: `blog ${id}`, message })));
  }
  return { blogs: blogs.map(({ apiKeys: _, ...blog }) => blog) };
}

function ownProblems(visit: BlogVisit, problems: Problems): Problems {
  return problems.map((problem) =>
    // The message names the other blog, whose existence is hidden from people without access to it.
    mayManageAll(visit) || problem.code !== 'KEY_IN_USE'
      ? problem
      : { ...problem, message: 'one of its API keys is in use elsewhere; remove it to get a new key' },
  );
}
