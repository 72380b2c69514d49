import type { Child } from 'hono/jsx';
import { type BlogVisit, panelPath } from '../door/visit.ts';
import type { Numbers } from '../figures/numbers.ts';
import { Button, LinkButton } from '../layout/button.tsx';
import { Field, Form, ProblemList, type Problems } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { type Columns, Table } from '../layout/table.tsx';
import type { BlogChanges, Kind, KindChanges } from './changes.ts';

/** Marks a form for which the script shows the progress of the import. */
const FOLLOWED = { 'data-progress': '' } as const;

interface ImportPageProps {
  visit: BlogVisit;
  problems?: Problems;
  file?: string;
}

/** The forms to choose a file or a folder, and the problems of the last one. */
export function ImportPage({ visit, problems = [], file = '' }: ImportPageProps) {
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
  /** Attributes of the input. */
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

/** The preview of an import, with its confirmation. */
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
        <section aria-labelledby="notes">
          <h2 id="notes">Notes</h2>
          <ul>
            {notes.map((note) => (
              <li>{note}</li>
            ))}
          </ul>
        </section>
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
  const names = (key: 'added' | 'changed' | 'removed', name: string) => ({
    key,
    name,
    cell: ([, changes]: [Kind, KindChanges]) => <Names names={changes[key]} numbers={numbers} />,
  });
  const columns: Columns<[Kind, KindChanges]> = [
    { key: 'kind', name: '', cell: ([kind]) => kind },
    names('added', 'New'),
    names('changed', 'Changed'),
    { key: 'same', name: 'Unchanged', cell: ([, { same }]) => numbers.count(same) },
    names('removed', 'Not in the file'),
  ];
  const rows = Object.entries(blog.kinds) as [Kind, KindChanges][];
  return <Table caption={`Changes to ${blog.name}`} url={url} columns={columns} rows={rows} inOrder />;
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
        <dl>
          {keys.map(({ id, newKey }) => (
            <>
              <dt>{id}</dt>
              <dd>
                <code class="secret" data-copy={`the key of ${id}`}>
                  {newKey}
                </code>
              </dd>
            </>
          ))}
        </dl>
        <LinkButton kind="first" to={panelPath(visit.blog.id, 'posts')} name="Continue" />
      </div>
    </Page>
  );
}
