import { promisify } from 'node:util';
import { gunzip as gunzipWith, gzip as gzipWith } from 'node:zlib';
import { type ContentResult, readUpload } from '@broadsheet/content';
import { accept, Snapshot, type SnapshotInput } from '@broadsheet/contract';
import type { Image, ImagePath } from '@broadsheet/core';
import { imageUpload, importContent, importerOf, OperationError } from '@broadsheet/management';
import { randomText } from '@broadsheet/store';
import { showPage } from '../access/command-forms.ts';
import { managersOnly, whyRefused } from '../access/guard.tsx';
import { HEADERS } from '../access/headers.ts';
import type { Routes } from '../access/routes.ts';
import { goTo, send } from '../access/send.tsx';
import { type FormFields, type Secret, textOf } from '../access/sent.ts';
import { actorOf, type BlogVisit, mayManageAll, type PanelContext, panelPath } from '../access/visit.ts';
import type { PanelOptions } from '../panel-options.ts';
import { compareBlogs } from './changes.ts';
import { ChangesPage, filesIn, ImportPage } from './page.tsx';
import { alone, progressOf, type Report, withProgress } from './progress.ts';
import { nameOf, unpack } from './unpack.ts';

const [gzip, gunzip] = [promisify(gzipWith), promisify(gunzipWith)];
/** Milliseconds that reading a folder may take. */
export const READ_FOR = 60_000;

/** Imports of content: read and compared first, and written after a confirmation. */
export const importRoutes: Routes = (app, options) => {
  app.get('/panel/:blog/import', managersOnly, (c) => send(c, <ImportPage />));

  app.post('/panel/:blog/import', async (c) => {
    const visit = c.get('blogVisit');
    const form = c.get('form');
    const files = filesIn(form);
    const page = (...parts: string[]) => panelPath(visit.blog.id, ...parts);
    c.set('again', (problems, status) => showPage(app, c, page('import'), { problems, status }));
    return withProgress(c, async (report) => {
      await report({ words: 'Waiting for another import' });
      return alone(c.req.raw.signal, async (signal) => {
        const refused = await whyRefused(c, options);
        if (refused) return refused;
        const [allowMissing, prune] = [form['allow-missing'] === 'yes', form['prune'] === 'yes'];
        const run = { c, options, visit, report, signal, allowMissing, prune };
        if (files.length > 0) return look(run, files);
        const secrets = await carryOut(run, form);
        if (secrets.length > 0) return showPage(app, c, page('posts'), { secrets });
        return goTo(`${page('posts')}?done=imported`);
      });
    });
  });

  app.get('/panel/:blog/import/progress', (c) => Response.json(progressOf(c) ?? {}, { headers: HEADERS }));
};

interface ImportRun {
  readonly c: PanelContext;
  readonly options: PanelOptions;
  readonly visit: BlogVisit;
  readonly report: Report;
  readonly signal: AbortSignal;
  /** Whether posts are imported although their images are missing. */
  readonly allowMissing: boolean;
  /** Whether posts and labels that the content does not have are deleted. */
  readonly prune: boolean;
}

/** Shows what an import would change. */
async function look(run: ImportRun, files: readonly File[]): Promise<Response> {
  const { c, options, visit, report, signal, allowMissing, prune } = run;
  const { store } = options;
  await report({ words: 'Reading the content' });
  const read = await readFor(visit, files, allowMissing);
  if (!read.ok) throw new OperationError(read.problems);
  const snapshot = checked(visit, read.snapshot);
  // A dry run writes everything and rolls it back, so problems that only the database detects are reported here, too.
  const onProgress = counting('Checking', snapshot, report);
  const importer = importerOf(store, actorOf(visit));
  await importContent(importer, { ...read, snapshot }, { now: visit.now, prune, dryRun: true, onProgress, signal });
  await report({ words: 'Comparing it with the blog' });
  const changes = [];
  for (const blog of snapshot.blogs) changes.push(compareBlogs(blog, await store.exportBlog(blog.id)));
  // Kept until the confirmation, which comes without the files.
  const { images = [] } = read;
  const json = JSON.stringify({ snapshot, images: images.map(({ hash, extension }) => ({ hash, extension })) });
  const upload = { name: randomText(), content: (await gzip(json)).toString('base64'), images };
  await store.saveUpload(visit.session, upload, visit.now);
  const { notes, title } = read;
  const page = { changes, notes, title, prune, images: images.length, upload: upload.name, file: nameOf(files) };
  return send(c, <ChangesPage {...page} />);
}

const MISSING = 'The uploaded content is no longer stored: choose the file again.';

/** What was previewed, and not confirmed yet. */
async function readPreviewed({ options, visit }: ImportRun, name: string) {
  const read = async (part: string) => {
    const stored = await options.store.readUpload(visit.session, part, visit.now);
    if (stored === undefined) throw new OperationError(MISSING);
    return Buffer.from(stored, 'base64');
  };
  const { snapshot, images: paths } = JSON.parse((await gunzip(await read(name))).toString());
  const images: Image[] = [];
  for (const path of paths as readonly ImagePath[]) {
    images.push({ ...path, bytes: await read(imageUpload(name, path.hash)) });
  }
  return { snapshot: snapshot as SnapshotInput, images };
}

/** Writes what was previewed. Returns the keys of the blogs that it created. */
async function carryOut(run: ImportRun, form: FormFields): Promise<Secret[]> {
  const { options, visit, report, signal, prune } = run;
  await report({ words: 'Reading the stored upload' });
  const previewed = await readPreviewed(run, textOf(form, 'upload'));
  const name = textOf(form, 'blogName').trim();
  const blogs = previewed.snapshot.blogs.map((blog) => (name && blog.id === visit.blog.id ? { ...blog, name } : blog));
  const content = { ...previewed, snapshot: checked(visit, { blogs }) };
  const onProgress = counting('Importing', content.snapshot, report);
  const importer = importerOf(options.store, actorOf(visit), textOf(form, 'name'));
  const imported = await importContent(importer, content, { now: visit.now, prune, onProgress, signal });
  return imported.flatMap(({ id, newKey }) => {
    const text = `Imported. This API key was created for the new blog ${id}. It is not shown again.`;
    return newKey === undefined ? [] : [{ name: `the key of ${id}`, value: newKey, text }];
  });
}

/** Reports how many of the posts are done. */
function counting(doing: string, { blogs }: SnapshotInput, report: Report): (done: number) => Promise<void> {
  const total = blogs.reduce((sum, { posts = [] }) => sum + posts.length, 0);
  return (done) => report({ words: `${doing} ${total} ${total === 1 ? 'post' : 'posts'}`, done, total });
}

/**
 * A snapshot names its own blogs; anything else becomes the blog of the page, whose name stays. The title of a Ghost site
 * is returned for a blog without posts, which is new.
 */
async function readFor(
  { blog, origin }: BlogVisit,
  files: readonly File[],
  allowMissing: boolean,
): Promise<ContentResult & { readonly title?: string | undefined }> {
  const [name, unpacked] = [nameOf(files), await unpack(files)];
  const signal = AbortSignal.timeout(READ_FOR);
  const read = await readUpload(name, unpacked, { blog: blog.id, mediaUrl: origin, allowMissing, signal });
  if (read.ok) {
    const { blogs } = read.snapshot;
    const title = read.unnamed || blog.posts > 0 ? undefined : blogs[0]?.name;
    return { ...read, title, snapshot: { blogs: blogs.map((one) => ({ ...one, name: blog.name })) } };
  }
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
