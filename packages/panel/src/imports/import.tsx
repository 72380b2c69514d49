import { promisify } from 'node:util';
import { gunzip as gunzipWith, gzip as gzipWith } from 'node:zlib';
import { type ContentResult, readUpload } from '@broadsheet/content';
import { accept, Snapshot, type SourceBlogInput } from '@broadsheet/contract';
import { type Image, type ImagePath, settleBlog } from '@broadsheet/core';
import { importContent, importerOf, OperationError, requestOf, summaryOf } from '@broadsheet/management';
import { type ImportedBlog, imageUpload, randomText, type SqlStore } from '@broadsheet/store';
import type { Child } from 'hono/jsx';
import { withSecrets } from '../access/change-unknown.ts';
import { showPage } from '../access/command-forms.ts';
import { managersOnly, whyRefused } from '../access/guard.tsx';
import { HEADERS } from '../access/headers.ts';
import { goTo, send } from '../access/send.tsx';
import { type FormFields, filesOf, numberOf, type Secret, textOf } from '../access/sent.ts';
import {
  actorOf,
  type BlogVisit,
  blogPath,
  currentBlogVisit,
  currentNumbers,
  currentVisit,
  mayManageAll,
  type PanelContext,
  panelPath,
  type Routes,
} from '../access/visit.ts';
import { Button, Field, Form } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { type Columns, State, Table } from '../layout/table.tsx';
import { type BlogChanges, changesOf, type Kind, type KindChanges } from './changes.ts';
import { progressOf, type Report, withProgress } from './progress.ts';
import { nameOf, unpack } from './unpack.ts';

const [gunzip, gzip] = [promisify(gunzipWith), promisify(gzipWith)];
/** Milliseconds that reading a folder may take. */
export const READ_FOR = 60_000;

const filesIn = (form: FormFields): readonly File[] => [...filesOf(form, 'file'), ...filesOf(form, 'folder')];
/** Whether posts are imported although their images are missing. */
const allowsMissing = (form: FormFields): boolean => textOf(form, 'allow-missing') === 'yes';
/**
 * Whether posts, categories and tags that are not in the content are deleted, and whether published posts may get other
 * URLs.
 */
const choicesOf = (form: FormFields) => ({
  prune: textOf(form, 'prune') === 'yes',
  allowMovedUrls: textOf(form, 'allow-moved-urls') === 'yes',
});

/** Imports of content: read and compared first, and written after a confirmation. */
export const importRoutes: Routes = (app, options) => {
  app.get('/panel/:blog/import', managersOnly, (c) => send(c, <ImportPage />));

  app.post('/panel/:blog/import', async (c) => {
    const page = (name: string) => panelPath(c.get('blogVisit').blog.id, name);
    c.set('again', (problems, status) => showPage(app, c, page('import'), { problems, status }));
    return withProgress(c, async (report) => {
      await report({ text: 'Waiting for another import' });
      return options.runAlone(c.req.raw.signal, async (signal) => {
        const refused = await whyRefused(c, options);
        if (refused) return refused;
        const run = { c, store: options.store, report, signal };
        if (filesIn(c.get('form')).length > 0) return look(run);
        const secrets = await carryOut(run);
        if (secrets.length > 0) return showPage(app, c, page('posts'), { secrets });
        return goTo(`${page('posts')}?done=imported`);
      });
    });
  });

  app.get('/panel/:blog/import/progress', (c) => Response.json(progressOf(c) ?? {}, { headers: HEADERS }));
};

interface ImportRun {
  readonly c: PanelContext;
  readonly store: SqlStore;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Shows what an import would change. */
async function look({ c, store, report, signal }: ImportRun): Promise<Response> {
  const [visit, form] = [c.get('blogVisit'), c.get('form')];
  const files = filesIn(form);
  await report({ text: 'Reading the content' });
  const read = await readFor(visit, files, allowsMissing(form));
  if (!read.ok) throw new OperationError(read.problems);
  const snapshot = checked(visit, read.snapshot);
  // A dry run writes everything and rolls it back, so problems that only the database detects are reported here, too.
  const onProgress = counting('Checking', snapshot, report);
  const importer = importerOf(store, actorOf(visit));
  const dryRun = { ...choicesOf(form), now: visit.now, dryRun: true, onProgress, signal };
  const imported = await importContent(importer, { ...read, snapshot }, dryRun);
  await report({ text: 'Comparing the content with the blog' });
  const sources = new Map(snapshot.blogs.map((blog) => [blog.id, blog]));
  const changes: BlogChanges[] = [];
  for (const blog of imported) {
    changes.push(
      changesOf(blog, sources.get(blog.id) ?? { id: blog.id, name: blog.id }, await store.exportBlog(blog.id)),
    );
  }
  // Stored until the confirmation, which does not contain the files.
  const { images = [], title, unnamed } = read;
  const notes = [...read.notes, ...imported.flatMap((blog) => blog.notes)];
  const summaries = imported.map(({ totals }) => summaryOf(totals));
  const paths = images.map(({ hash, extension }) => ({ hash, extension }));
  const json = JSON.stringify({ snapshot, images: paths, unnamed });
  const upload = { name: randomText(), content: (await gzip(json)).toString('base64'), images };
  await store.saveUpload(visit.session, upload, visit.now);
  const page = {
    changes,
    notes,
    summaries,
    title,
    ...choicesOf(form),
    images: images.length,
    upload: upload.name,
    file: nameOf(files),
  };
  return send(c, <ChangesPage {...page} />);
}

/** Writes the previewed import, once for each form. Returns the keys of the blogs that it created. */
async function carryOut({ c, store, report, signal }: ImportRun): Promise<Secret[]> {
  const [visit, form] = [c.get('blogVisit'), c.get('form')];
  const request = requestOf({ name: 'import', blog: visit.blog.id, actor: actorOf(visit), once: numberOf(form) });
  const earlier = request === undefined ? undefined : await store.findReceipt(request, visit.now);
  if (earlier) return earlier.isKept ? newKeysOf(earlier.result as readonly ImportedBlog[]) : [];
  await report({ text: 'Reading the stored upload' });
  const uploadName = textOf(form, 'upload');
  const previewed = await readPreviewed(store, visit, uploadName);
  const name = textOf(form, 'blogName').trim();
  const isNamed = ({ id }: { readonly id: string }) => name !== '' && id === visit.blog.id;
  const blogs = previewed.snapshot.blogs.map((blog) => (isNamed(blog) ? { ...blog, name } : blog));
  const snapshot = checked(visit, { blogs });
  const content = { ...previewed, snapshot, unnamed: previewed.unnamed && !blogs.some(isNamed) };
  const importer = importerOf(store, actorOf(visit), textOf(form, 'name'));
  const imported = await importContent(importer, content, {
    ...{ ...choicesOf(form), now: visit.now, signal },
    ...{ request, upload: { session: visit.session, name: uploadName } },
    onProgress: counting('Importing', snapshot, report),
  }).catch((error: unknown) => {
    throw withSecrets(error, newKeysOf);
  });
  return newKeysOf(imported);
}

const newKeysOf = (imported: readonly Pick<ImportedBlog, 'id' | 'newKey'>[]): Secret[] =>
  imported.flatMap(({ id, newKey }) => {
    const text = `Imported. This API key was created for the new blog ${id}. It will not be shown again.`;
    return newKey === undefined ? [] : [{ name: `the key of ${id}`, value: newKey, text }];
  });

/** The import that was previewed and is not confirmed yet. */
async function readPreviewed(store: SqlStore, visit: BlogVisit, name: string) {
  const read = async (part: string) => {
    const stored = await store.readUpload(visit.session, part, visit.now);
    if (stored === undefined) throw new OperationError(MISSING);
    return Buffer.from(stored, 'base64');
  };
  const { snapshot, images: paths, unnamed } = JSON.parse((await gunzip(await read(name))).toString());
  const images: Image[] = [];
  for (const path of paths as readonly ImagePath[]) {
    images.push({ ...path, bytes: await read(imageUpload(name, path.hash)) });
  }
  return { snapshot: snapshot as SourceSnapshot, images, unnamed: unnamed === true };
}

const MISSING = 'The uploaded content was already imported, or is no longer stored: choose the file again.';

/** Reports how many of the posts are done. */
function counting(doing: string, { blogs }: SourceSnapshot, report: Report): (done: number) => Promise<void> {
  const total = blogs.reduce((sum, { posts = [] }) => sum + posts.length, 0);
  return (done) => report({ text: `${doing} ${total} ${total === 1 ? 'post' : 'posts'}`, done, total });
}

/**
 * Reads content. A snapshot names its own blogs; other content is for the blog of the page, which keeps its name. If
 * the blog has no posts yet, the title of a Ghost site is returned, too.
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
    return { ...read, title, unnamed: true, snapshot: { blogs: blogs.map((one) => ({ ...one, name: blog.name })) } };
  }
  const named = read.problems.some(({ code }) => code === 'NAMES_ITS_BLOGS');
  return named ? readUpload(name, unpacked) : read;
}

/** Checks content as a snapshot. Only people who manage all blogs may import keys and other blogs. */
function checked(visit: BlogVisit, snapshot: SourceSnapshot): SourceSnapshot {
  const read = accept(Snapshot, { blogs: settledBlogs(visit, snapshot) });
  if (!read.ok) throw new OperationError(read.fields.map(({ field, message }) => ({ at: field, message })));
  if (mayManageAll(visit)) return snapshot;
  const { blogs } = snapshot;
  const others = blogs.filter(({ id }) => id !== visit.blog.id);
  if (others.length > 0) {
    const message = `this page imports only into ${visit.blog.id}; to import this blog here, change its id in the file`;
    throw new OperationError(others.map(({ id }) => ({ at: `blog ${id}`, message })));
  }
  return { blogs: blogs.map(({ apiKeys: _, ...blog }) => blog) };
}

/** Blogs as a source has them; see `SourceBlog`. */
interface SourceSnapshot {
  readonly blogs: SourceBlogInput[];
}

const settledBlogs = ({ blog, now }: BlogVisit, { blogs }: SourceSnapshot) =>
  blogs.map((one) => settleBlog(one, { now, timeZone: blog.timeZone }).blog);

/** Marks a form for which the script shows the progress of the import. */
const FOLLOWED = { 'data-progress': '' } as const;

function ImportPage() {
  const { problems = [], fields = {} } = currentVisit().sent ?? {};
  const file = nameOf(filesIn(fields)) || textOf(fields, 'name');
  const offersPrune = problems.some(({ code }) => code === 'SLUG_IN_USE');
  const offersMoves = problems.some(({ code }) => code === 'URL_MOVED');
  const problemText = { intro: `${file ? `“${file}”` : 'The file'} has`, outcome: 'Nothing was imported.' };
  return (
    <Page title="Import" here="import" problemText={problemText}>
      <p class="lead">
        Import posts from another system. You will see a preview of the changes before anything is saved. The limit is
        64 MiB.
      </p>
      <div class="ways">
        {WAYS.map(({ title, ...field }) => (
          <Form to="import" enctype="multipart/form-data" {...FOLLOWED}>
            <h2>{title}</h2>
            <Field type="file" required {...field} />
            <CheckBox name="allow-missing">Import posts even if images are missing or cannot be stored</CheckBox>
            {offersPrune && <PruneBox />}
            {offersMoves && <MovesBox />}
            <Button kind="first" name={`Preview ${field.name}`} />
          </Form>
        ))}
      </div>
    </Page>
  );
}

/** The ways to upload content. Each way has its own form, because a person uses one or the other. */
const WAYS = [
  {
    title: 'Markdown folder',
    name: 'folder',
    label: 'Folder, with all its subfolders',
    multiple: true,
    webkitdirectory: '',
  },
  {
    title: 'File',
    name: 'file',
    label: 'File: choose it, or drop it here',
    hint: 'A Ghost export (JSON), a Broadsheet snapshot (JSON), or a zip of a Markdown folder or a Ghost export with its images.',
    accept: '.zip,.json,application/zip,application/json',
  },
];

const CheckBox = ({ name, checked, children }: { name: string; checked?: boolean | undefined; children: Child }) => (
  <p>
    <label>
      <input type="checkbox" name={name} value="yes" checked={checked} /> {children}
    </label>
  </p>
);

const PruneBox = ({ checked }: { checked?: boolean }) => (
  <CheckBox name="prune" checked={checked}>
    Prune: also delete posts, categories and tags that are not in the file
  </CheckBox>
);

const MovesBox = ({ checked }: { checked?: boolean }) => (
  <CheckBox name="allow-moved-urls" checked={checked}>
    Let published posts get other URLs
  </CheckBox>
);

interface ChangesPageProps {
  changes: readonly BlogChanges[];
  notes: readonly string[];
  /** What the posts of each blog become. */
  summaries: readonly string[];
  /** The number of images that are stored with the content. */
  images: number;
  /** The name under which the uploaded content is stored. */
  upload: string;
  file: string;
  prune: boolean;
  allowMovedUrls: boolean;
  /** The title of the source, if it is offered as the name of the blog. */
  title: string | undefined;
}

function ChangesPage(props: ChangesPageProps) {
  const { changes, notes, summaries, images, upload, file, prune, allowMovedUrls, title } = props;
  const own = currentBlogVisit().blog.id;
  const removable = changes.some(({ kinds }) => Object.values(kinds).some(({ missing }) => missing.length > 0));
  return (
    <Page title="Import preview" here="import">
      <p class="lead">
        “<bdi>{file}</bdi>” has no problems. Nothing has changed yet.{' '}
        {images > 0 && `The import also stores ${images === 1 ? '1 image' : `${images} images`}.`}
      </p>
      {changes.map((blog, index) => (
        <>
          {(changes.length > 1 || blog.id !== own) && (
            <h2>
              <bdi>{blog.name}</bdi> {blog.isNew && <State is="waiting">new blog</State>}
            </h2>
          )}
          <p>{summaries[index]}</p>
          <ChangesTable blog={blog} />
        </>
      ))}
      {notes.length > 0 && (
        <Section id="notes" title="Notes">
          <ul>
            {notes.map((note) => (
              <li>{note}</li>
            ))}
          </ul>
        </Section>
      )}
      <Form to="import" fields={{ upload, name: file }} {...FOLLOWED}>
        {title !== undefined && (
          <Field name="blogName" label="Name of the blog" hint="The title of the export." value={title} required />
        )}
        {removable && <PruneBox checked={prune} />}
        {allowMovedUrls && <MovesBox checked />}
        <div class="actions">
          <Button kind="first" name="Import" />
          <Button to={blogPath('import')} name="Cancel" />
        </div>
      </Form>
    </Page>
  );
}

function ChangesTable({ blog }: { blog: BlogChanges }) {
  const names = (name: string, key: 'added' | 'changed' | 'missing') => ({
    name,
    cell: ([, changes]: [Kind, KindChanges]) => <Names names={changes[key]} />,
  });
  const columns: Columns<[Kind, KindChanges]> = [
    { name: '', cell: ([kind]) => kind },
    names('New', 'added'),
    names('Changed', 'changed'),
    { name: 'Unchanged', cell: ([, { same }]) => currentNumbers().count(same) },
    names('Not in the file', 'missing'),
  ];
  const rows = Object.entries(blog.kinds) as [Kind, KindChanges][];
  return <Table caption={`Changes to ${blog.name}`} columns={columns} rows={rows} />;
}

function Names({ names }: { names: readonly string[] }): Child {
  if (names.length === 0) return <>0</>;
  return (
    <details>
      <summary>{currentNumbers().count(names.length)}</summary>
      <ul>
        {names.map((name) => (
          <li>{name}</li>
        ))}
      </ul>
    </details>
  );
}
