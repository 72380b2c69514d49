/** @jsxImportSource hono/jsx */
import { promisify } from 'node:util';
import { gunzip as gunzipWith, gzip as gzipWith } from 'node:zlib';
import { parseJson, readContent } from '@broadsheet/content';
import { accept, Snapshot, type SnapshotInput } from '@broadsheet/contract';
import { importContent, OperationError, type ServerStore } from '@broadsheet/management';
import type { Hono } from 'hono';
import { logChange, textOf } from '../door/change.ts';
import type { FormFields, PanelEnv } from '../door/guard.tsx';
import { goTo, HEADERS, send } from '../door/send.ts';
import { type BlogVisit, mayManage, mayManageAll, panelPath } from '../door/visit.ts';
import { type Problems, problemsOf } from '../layout/form.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { compareBlogs } from './changes.ts';
import { ChangesPage, ImportPage, NewKeysPage } from './page.tsx';
import { progressOf, type Report, reportOf } from './progress.ts';
import { MOST_BYTES, nameOf, withUnpacked } from './unpack.ts';

const [gzip, gunzip] = [promisify(gzipWith), promisify(gunzipWith)];
/** Milliseconds that reading a folder may take. */
const READ_FOR = 60_000;

/** Content from elsewhere: read and compared first, and written after that was seen. */
export function importRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/:blog/import', (c) => {
    const visit = c.get('blogVisit');
    return mayManage(visit) ? send(<ImportPage visit={visit} />) : c.notFound();
  });

  app.post('/panel/:blog/import', async (c) => {
    const visit = c.get('blogVisit');
    const form = c.get('form');
    const report = reportOf(c);
    const files = [form['file'] ?? [], form['folder'] ?? []].flat().filter((file) => file instanceof File);
    const name = files.length > 0 ? nameOf(files) : textOf(form, 'name');
    try {
      await report({ words: 'Waiting for another import' });
      return await alone(() =>
        files.length > 0 ? look({ store, visit, report }, files) : carryOut({ store, visit, report }, form),
      );
    } catch (error) {
      return send(<ImportPage visit={visit} problems={ownProblems(visit, error)} file={name} />, { status: 400 });
    }
  });

  app.get('/panel/:blog/import/progress', (c) => Response.json(progressOf(c) ?? {}, { headers: HEADERS }));
}

let running: Promise<unknown> = Promise.resolve();

/** Runs imports one after another: each may take the memory of a large blog. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const result = running.then(work);
  running = result.catch(() => {});
  return result;
}

/** An import, and where it stands. */
interface ImportRun {
  readonly store: ServerStore;
  readonly visit: BlogVisit;
  readonly report: Report;
}

/** Shows what an import would change. */
async function look({ store, visit, report }: ImportRun, files: readonly File[]): Promise<Response> {
  await report({ words: 'Reading it' });
  const read = await withUnpacked(files, (path) => readFor(visit, path));
  if (!read.ok) throw new OperationError(read.problems);
  const snapshot = checked(visit, read.snapshot);
  // Everything is done and rolled back: what only the database can refuse is reported here, too.
  const onProgress = counting('Checking', snapshot, report);
  await importContent(store, { ...read, snapshot }, { now: visit.now, dryRun: true, onProgress });
  await report({ words: 'Comparing it with what is there' });
  const changes = [];
  for (const blog of snapshot.blogs) changes.push(compareBlogs(blog, await store.exportBlog(blog.id)));
  const content = (await gzip(JSON.stringify(snapshot))).toString('base64');
  const { notes } = read;
  return send(<ChangesPage visit={visit} changes={changes} notes={notes} content={content} file={nameOf(files)} />);
}

/** Writes what was looked at, which the form carries. */
async function carryOut({ store, visit, report }: ImportRun, form: FormFields): Promise<Response> {
  await report({ words: 'Reading it again' });
  const snapshot = checked(visit, parsed(await expanded(textOf(form, 'content'))));
  const prune = form['prune'] === 'yes';
  const onProgress = counting('Importing', snapshot, report);
  const imported = await importContent(store, { snapshot }, { now: visit.now, prune, onProgress });
  for (const { id, posts, newPosts } of imported) {
    const what = `imported “${textOf(form, 'name')}”: ${posts} posts, ${newPosts} of them new`;
    await logChange(store, { ...visit, blog: { ...visit.blog, id } }, what);
  }
  const keys = imported.flatMap(({ id, newKey }) => (newKey === undefined ? [] : [{ id, newKey }]));
  if (keys.length > 0) return send(<NewKeysPage visit={visit} keys={keys} />);
  return goTo(`${panelPath(visit.blog.id, 'posts')}?done=imported`);
}

const INCOMPLETE = 'What was sent is incomplete, or expands to more than 128 MiB; choose the file again.';

async function expanded(content: string): Promise<string> {
  try {
    return (await gunzip(Buffer.from(content, 'base64'), { maxOutputLength: MOST_BYTES })).toString();
  } catch {
    throw new OperationError(INCOMPLETE);
  }
}

function parsed(text: string): unknown {
  const read = parseJson(text, 'content');
  if (!read.ok) throw new OperationError(INCOMPLETE);
  return read.value;
}

/** Reports the posts that are done, of all there are. */
function counting(doing: string, { blogs }: SnapshotInput, report: Report): (done: number) => Promise<void> {
  const total = blogs.reduce((sum, { posts = [] }) => sum + posts.length, 0);
  return (done) => report({ words: `${doing} ${total} ${total === 1 ? 'post' : 'posts'}`, done, total });
}

/** A snapshot names its own blogs; anything else becomes the blog of the page. */
async function readFor({ blog }: BlogVisit, path: string): ReturnType<typeof readContent> {
  const read = await readContent(path, { blog: blog.id, signal: AbortSignal.timeout(READ_FOR) });
  if (read.ok) return { ...read, snapshot: { blogs: read.snapshot.blogs.map((one) => ({ ...one, name: blog.name })) } };
  const named = read.problems.some(({ code }) => code === 'NAMES_ITS_BLOGS');
  return named ? readContent(path) : read;
}

/** Content by the rules of a snapshot, for blogs of this person alone; who manages one blog makes keys on its page. */
function checked(visit: BlogVisit, given: unknown): SnapshotInput {
  const read = accept(Snapshot, given);
  if (!read.ok) throw new OperationError(read.fields.map(({ field, message }) => ({ at: field, message })));
  if (mayManageAll(visit)) return given as SnapshotInput;
  const { blogs } = given as SnapshotInput;
  const others = blogs.filter(({ id }) => id !== visit.blog.id);
  if (others.length > 0) {
    const message = `is the content of another blog, and this page imports into ${visit.blog.id} alone; write that as its id`;
    throw new OperationError(others.map(({ id }) => ({ at: `blog ${id}`, message })));
  }
  return { blogs: blogs.map(({ apiKeys: _, ...blog }) => blog) };
}

function ownProblems(visit: BlogVisit, error: unknown): Problems {
  return problemsOf(error).map((problem) =>
    // It names the other blog, which only those may know who may see it.
    mayManageAll(visit) || problem.code !== 'KEY_IN_USE'
      ? problem
      : { ...problem, message: 'one of its API keys is in use elsewhere' },
  );
}
