/** @jsxImportSource hono/jsx */
import { promisify } from 'node:util';
import { gunzip as gunzipWith, gzip as gzipWith } from 'node:zlib';
import { type NotedSnapshot, readContent } from '@broadsheet/content';
import { accept, Snapshot, type SnapshotInput } from '@broadsheet/contract';
import { importContent } from '@broadsheet/management';
import type { Hono } from 'hono';
import { logChange, textOf } from '../door/change.ts';
import type { PanelEnv } from '../door/guard.tsx';
import { goTo, HEADERS, send } from '../door/send.ts';
import { type BlogVisit, mayManage, mayManageAll, panelPath } from '../door/visit.ts';
import { safeReturn } from '../layout/address.ts';
import { type Problems, problemsOf } from '../layout/form.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { compareBlogs } from './changes.ts';
import { ChangesPage, ImportPage } from './page.tsx';
import { progressOf, type Report, reportOf } from './progress.ts';
import { NotUnpacked, nameOf, withUnpacked } from './unpack.ts';

const [gzip, gunzip] = [promisify(gzipWith), promisify(gunzipWith)];
const MOST_BYTES = 512 * 1024 * 1024;

/** Content from elsewhere: read and compared first, written when that was seen, brought back after a deletion. */
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
    if (files.length > 0) return look(visit, files, report);
    const name = textOf(form, 'name');
    try {
      await report({ words: 'Reading it again' });
      const content = JSON.parse(await unpacked(textOf(form, 'content'))) as Pick<NotedSnapshot, 'snapshot'>;
      const snapshot = checked(visit, content.snapshot);
      const prune = form['prune'] === 'yes';
      const onProgress = counting('Importing', snapshot, report);
      const imported = await importContent(store, { snapshot }, { now: visit.now, prune, onProgress });
      for (const { id, posts, newPosts } of imported) {
        await logChange(
          store,
          { ...visit, blog: { ...visit.blog, id } },
          `imported “${name}”: ${posts} posts, ${newPosts} of them new`,
        );
      }
      return goTo(`${panelPath(visit.blog.id, 'posts')}?done=imported`);
    } catch (error) {
      return send(<ImportPage visit={visit} problems={ownProblems(visit, error)} file={name} />, { status: 400 });
    }
  });

  app.get('/panel/:blog/import/progress', (c) => Response.json(progressOf(c) ?? {}, { headers: HEADERS }));

  // What was deleted a moment ago, as the page that said so holds it.
  app.post('/panel/:blog/restore', async (c) => {
    const visit = c.get('blogVisit');
    const form = c.get('form');
    try {
      const snapshot = checked(
        { ...visit, person: { ...visit.person, blogId: visit.blog.id } },
        JSON.parse(textOf(form, 'snapshot')),
      );
      const [{ posts = [], ads = [] } = {}] = snapshot.blogs;
      await importContent(store, { snapshot, unnamed: true }, { now: visit.now });
      const names = [...posts, ...ads].map(({ id, title }) => `“${title || id}”`).join(', ');
      await logChange(store, visit, `brought back ${names}`);
      return goTo(safeReturn(form['back'], panelPath(visit.blog.id), 'restored'));
    } catch (error) {
      return send(<ImportPage visit={visit} problems={ownProblems(visit, error)} />, { status: 400 });
    }
  });

  async function look(visit: BlogVisit, files: readonly File[], report: Report): Promise<Response> {
    const name = nameOf(files);
    try {
      await report({ words: 'Reading it' });
      const read = await withUnpacked(files, (path) => readFor(visit, path));
      if (!read.ok) return send(<ImportPage visit={visit} problems={read.problems} file={name} />, { status: 400 });
      const snapshot = checked(visit, read.snapshot);
      // Everything is done and taken back: what only the database can refuse is said here, too.
      const onProgress = counting('Checking', snapshot, report);
      await importContent(store, { ...read, snapshot }, { now: visit.now, dryRun: true, onProgress });
      await report({ words: 'Comparing it with what is there' });
      const changes = [];
      for (const blog of snapshot.blogs) changes.push(compareBlogs(blog, await store.exportBlog(blog.id)));
      const content = (await gzip(JSON.stringify({ snapshot }))).toString('base64');
      return send(<ChangesPage visit={visit} changes={changes} notes={read.notes} content={content} file={name} />);
    } catch (error) {
      return send(<ImportPage visit={visit} problems={ownProblems(visit, error)} file={name} />, { status: 400 });
    }
  }
}

/** Reports the posts that are done, of all there are. */
function counting(doing: string, { blogs }: SnapshotInput, report: Report): (done: number) => Promise<void> {
  const total = blogs.reduce((sum, { posts = [] }) => sum + posts.length, 0);
  return (done) => report({ words: `${doing} ${total} ${total === 1 ? 'post' : 'posts'}`, done, total });
}

/** A snapshot names its own blogs; anything else becomes the blog of the page. */
async function readFor({ blog }: BlogVisit, path: string): ReturnType<typeof readContent> {
  const read = await readContent(path, { blog: blog.id });
  if (read.ok) return { ...read, snapshot: { blogs: read.snapshot.blogs.map((one) => ({ ...one, name: blog.name })) } };
  const named = read.problems.some(({ code }) => code === 'NAMES_ITS_BLOGS');
  return named ? readContent(path) : read;
}

async function unpacked(content: string): Promise<string> {
  return (await gunzip(Buffer.from(content, 'base64'), { maxOutputLength: MOST_BYTES })).toString();
}

/** Thrown for content that is not for this person to import. */
class NotYours extends Error {
  readonly problems: Problems;
  constructor(problems: Problems) {
    super('not yours to import');
    this.problems = problems;
  }
}

/** Content by the rules of a snapshot, for blogs of this person alone; who manages one blog makes keys on its page. */
function checked(visit: BlogVisit, given: unknown): SnapshotInput {
  const read = accept(Snapshot, given);
  if (!read.ok) throw new NotYours(read.fields.map(({ field, message }) => ({ at: field, message })));
  if (mayManageAll(visit)) return given as SnapshotInput;
  const { blogs } = given as SnapshotInput;
  const others = blogs.filter(({ id }) => id !== visit.blog.id);
  if (others.length > 0) {
    const message = `is the content of another blog, and this page imports into ${visit.blog.id} alone; write that as its id`;
    throw new NotYours(others.map(({ id }) => ({ at: `blog ${id}`, message })));
  }
  return { blogs: blogs.map(({ apiKeys: _, ...blog }) => blog) };
}

function ownProblems(visit: BlogVisit, error: unknown): Problems {
  if (error instanceof NotYours) return error.problems;
  if (error instanceof NotUnpacked) return [{ message: error.message }];
  if (error instanceof SyntaxError) return [{ message: 'What was sent is not whole; choose the file again.' }];
  return problemsOf(error).map((problem) =>
    // It names the other blog, which only those may know who may see it.
    mayManageAll(visit) || problem.code !== 'KEY_IN_USE'
      ? problem
      : { ...problem, message: 'one of its API keys is in use elsewhere' },
  );
}
