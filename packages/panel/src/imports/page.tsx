import type { Child } from 'hono/jsx';
import { type BlogVisit, panelPath } from '../access/visit.ts';
import type { Numbers } from '../figures/numbers.ts';
import { Button, Field, Form, LinkButton, ProblemList, type Problems } from '../layout/form.tsx';
import { Page, Secret, Section } from '../layout/page.tsx';
import { type Columns, Table } from '../layout/table.tsx';
import type { BlogChanges, Kind, KindChanges } from './changes.ts';

/** Marks a form for which the script shows the progress of the import. */
const FOLLOWED = { 'data-progress': '' } as const;

export function ImportPage(props: { visit: BlogVisit; problems?: Problems; file?: string }) {
  const { visit, problems = [], file = '' } = props;
  return (
    <Page visit={visit} title="Import" here="import">
      <ProblemList
        problems={problems}
        labels={{}}
        intro={`${file ? `“${file}”` : 'The file'} has`}
        outcome="Nothing was imported."
      />
      <p class="lead">
        Import posts from another system. You will see a preview of the changes before anything is saved. The limit is
        64 MiB.
      </p>
      <div class="ways">
        <Way
          visit={visit}
          title="Markdown folder"
          name="folder"
          label="Folder, with all its subfolders"
          multiple
          webkitdirectory=""
        />
        <Way
          visit={visit}
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
  visit: BlogVisit;
  title: string;
  name: 'folder' | 'file';
  label: string;
  hint?: string;
  [attribute: string]: unknown;
}

/** One way to upload content, in its own form, because a person fills in one or the other. */
function Way({ visit, title, ...field }: WayProps) {
  return (
    <Form visit={visit} to={panelPath(visit.blog.id, 'import')} enctype="multipart/form-data" {...FOLLOWED}>
      <h2>{title}</h2>
      <Field type="file" required {...field} />
      <p>
        <label>
          <input type="checkbox" name="allow-missing" value="yes" /> Import posts even if images are missing or cannot
          be stored
        </label>
      </p>
      <Button kind="first" name={`Preview ${field.name}`} />
    </Form>
  );
}

interface ChangesPageProps {
  visit: BlogVisit;
  changes: readonly BlogChanges[];
  notes: readonly string[];
  /** The name under which the uploaded content is stored. */
  upload: string;
  file: string;
}

export function ChangesPage({ visit, changes, notes, upload, file }: ChangesPageProps) {
  const removable = changes.some(({ kinds }) => Object.values(kinds).some(({ removed }) => removed.length > 0));
  return (
    <Page visit={visit} title="Import preview" here="import">
      <p class="lead">“{file}” has no problems. Nothing has changed yet.</p>
      {changes.map((blog) => (
        <>
          {(changes.length > 1 || blog.id !== visit.blog.id) && (
            <h2>
              {blog.name} {blog.isNew && <span class="state waiting">new blog</span>}
            </h2>
          )}
          <ChangesTable visit={visit} blog={blog} />
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
      <Form visit={visit} to={panelPath(visit.blog.id, 'import')} {...FOLLOWED}>
        <input type="hidden" name="upload" value={upload} />
        <input type="hidden" name="name" value={file} />
        {removable && (
          <p>
            <label>
              <input type="checkbox" name="prune" value="yes" /> Also delete posts, categories and tags that are not in
              the file
            </label>
          </p>
        )}
        <div class="actions">
          <Button kind="first" name="Import" />
          <LinkButton to={panelPath(visit.blog.id, 'import')} name="Cancel" />
        </div>
      </Form>
    </Page>
  );
}

function ChangesTable({ visit, blog }: { visit: BlogVisit; blog: BlogChanges }) {
  const { numbers, url } = visit;
  const names = (name: string, key: 'added' | 'changed' | 'removed') => ({
    name,
    cell: ([, changes]: [Kind, KindChanges]) => <Names names={changes[key]} numbers={numbers} />,
  });
  const columns: Columns<[Kind, KindChanges]> = [
    { name: '', cell: ([kind]) => kind },
    names('New', 'added'),
    names('Changed', 'changed'),
    { name: 'Unchanged', cell: ([, { same }]) => numbers.count(same) },
    names('Not in the file', 'removed'),
  ];
  const rows = Object.entries(blog.kinds) as [Kind, KindChanges][];
  return <Table caption={`Changes to ${blog.name}`} url={url} columns={columns} rows={rows} />;
}

function Names({ names, numbers }: { names: readonly string[]; numbers: Numbers }): Child {
  if (names.length === 0) return <>0</>;
  return (
    <details>
      <summary>{numbers.count(names.length)}</summary>
      <ul>
        {names.map((name) => (
          <li>{name}</li>
        ))}
      </ul>
    </details>
  );
}

interface NewKeysPageProps {
  visit: BlogVisit;
  keys: readonly { readonly id: string; readonly newKey: string }[];
}

/** The keys of the blogs that an import created, which are shown only once. */
export function NewKeysPage({ visit, keys }: NewKeysPageProps) {
  return (
    <Page visit={visit} title="Imported" here="import">
      <div class="narrow">
        <p role="status">
          Everything was imported. These API keys were created for the new blogs. Copy them now: they are not shown
          again.
        </p>
        {keys.map(({ id, newKey }) => (
          <Secret name={`the key of ${id}`} value={newKey}>
            {id}
          </Secret>
        ))}
        <LinkButton kind="first" to={panelPath(visit.blog.id, 'posts')} name="Continue" />
      </div>
    </Page>
  );
}
