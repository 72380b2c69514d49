import type { Child } from 'hono/jsx';
import { type FormFields, filesOf, textOf } from '../access/sent.ts';
import { blogPath, currentBlogVisit, currentNumbers, currentVisit } from '../access/visit.ts';
import { Button, Field, Form, LinkButton } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { type Columns, Table } from '../layout/table.tsx';
import type { BlogChanges, Kind, KindChanges } from './changes.ts';
import { nameOf } from './unpack.ts';

/** Marks a form for which the script shows the progress of the import. */
const FOLLOWED = { 'data-progress': '' } as const;

/** The files of a form of this page. */
export const filesIn = (form: FormFields): readonly File[] => [...filesOf(form, 'file'), ...filesOf(form, 'folder')];

export function ImportPage() {
  const { problems = [], fields = {} } = currentVisit().sent ?? {};
  const file = nameOf(filesIn(fields)) || textOf(fields, 'name');
  const offersPrune = problems.some(({ code }) => code === 'SLUG_IN_USE');
  const words = { intro: `${file ? `“${file}”` : 'The file'} has`, outcome: 'Nothing was imported.' };
  return (
    <Page title="Import" here="import" words={words}>
      <p class="lead">
        Import posts from another system. You will see a preview of the changes before anything is saved. The limit is
        64 MiB.
      </p>
      <div class="ways">
        <Way
          offersPrune={offersPrune}
          title="Markdown folder"
          name="folder"
          label="Folder, with all its subfolders"
          multiple
          webkitdirectory=""
        />
        <Way
          offersPrune={offersPrune}
          title="File"
          name="file"
          label="File: choose it, or drop it here"
          hint="A Ghost export (JSON), a Broadsheet snapshot (JSON), or a zip of a Markdown folder or a Ghost export with its images."
          accept=".zip,.json,application/zip,application/json"
        />
      </div>
    </Page>
  );
}

interface WayProps {
  /** Whether a problem can be solved by deleting what the file does not contain. */
  offersPrune: boolean;
  title: string;
  name: 'folder' | 'file';
  label: string;
  hint?: string;
  [attribute: string]: unknown;
}

/** One way to upload content, in its own form, because a person fills in one or the other. */
function Way({ offersPrune, title, ...field }: WayProps) {
  return (
    <Form to="import" enctype="multipart/form-data" {...FOLLOWED}>
      <h2>{title}</h2>
      <Field type="file" required {...field} />
      <p>
        <label>
          <input type="checkbox" name="allow-missing" value="yes" /> Import posts even if images are missing or cannot
          be stored
        </label>
      </p>
      {offersPrune && <PruneBox />}
      <Button kind="first" name={`Preview ${field.name}`} />
    </Form>
  );
}

function PruneBox({ checked = false }: { checked?: boolean }) {
  return (
    <p>
      <label>
        <input type="checkbox" name="prune" value="yes" checked={checked} /> Prune: also delete posts, categories and
        tags that are not in the file
      </label>
    </p>
  );
}

interface ChangesPageProps {
  changes: readonly BlogChanges[];
  notes: readonly string[];
  /** The number of images that are stored with the content. */
  images: number;
  /** The name under which the uploaded content is stored. */
  upload: string;
  file: string;
  /** Whether the preview was made with pruning. */
  prune: boolean;
  /** The title of the source, if it is offered as the name of the blog. */
  title: string | undefined;
}

export function ChangesPage({ changes, notes, images, upload, file, prune, title }: ChangesPageProps) {
  const own = currentBlogVisit().blog.id;
  const removable = changes.some(({ kinds }) => Object.values(kinds).some(({ removed }) => removed.length > 0));
  return (
    <Page title="Import preview" here="import">
      <p class="lead">
        “<bdi>{file}</bdi>” has no problems. Nothing has changed yet.{' '}
        {images > 0 && `The import also stores ${images === 1 ? '1 image' : `${images} images`}.`}
      </p>
      {changes.map((blog) => (
        <>
          {(changes.length > 1 || blog.id !== own) && (
            <h2>
              <bdi>{blog.name}</bdi> {blog.isNew && <span class="state waiting">new blog</span>}
            </h2>
          )}
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
        <div class="actions">
          <Button kind="first" name="Import" />
          <LinkButton to={blogPath('import')} name="Cancel" />
        </div>
      </Form>
    </Page>
  );
}

function ChangesTable({ blog }: { blog: BlogChanges }) {
  const names = (name: string, key: 'added' | 'changed' | 'removed') => ({
    name,
    cell: ([, changes]: [Kind, KindChanges]) => <Names names={changes[key]} />,
  });
  const columns: Columns<[Kind, KindChanges]> = [
    { name: '', cell: ([kind]) => kind },
    names('New', 'added'),
    names('Changed', 'changed'),
    { name: 'Unchanged', cell: ([, { same }]) => currentNumbers().count(same) },
    names('Not in the file', 'removed'),
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
