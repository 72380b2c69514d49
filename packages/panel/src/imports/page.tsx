/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { type BlogVisit, panelPath } from '../door/visit.ts';
import { type Numbers, numbersOf } from '../figures/numbers.ts';
import { Form, type Problems } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import type { BlogChanges, Kind, KindChanges } from './changes.ts';

/** Problems that are listed; the rest is counted. */
const SHOWN = 1000;

/** Where a file is dropped, and what is wrong with the one that was. */
export function ImportPage({ visit, problems = [], file }: { visit: BlogVisit; problems?: Problems; file?: string }) {
  return (
    <Page visit={visit} title="Import" here="import">
      {problems.length > 0 && (
        <div class="problems" role="alert">
          <p>
            {`${file ? `“${file}”` : 'The file'} has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}; nothing was imported.`}
          </p>
          <ul>
            {problems.slice(0, SHOWN).map(({ at, message }) => (
              <li>
                {at && <code>{at}</code>} {message}
              </li>
            ))}
            {problems.length > SHOWN && <li>… and {problems.length - SHOWN} more</li>}
          </ul>
        </div>
      )}
      <p class="lead">
        Posts from somewhere else. You see what would change before anything does. Up to 64 MiB at once.
      </p>
      <div class="ways">
        <Way visit={visit} title="A folder of Markdown" action="Read the folder">
          <div class="field">
            <label for="folder">Folder, with all that is in it</label>
            <input id="folder" type="file" name="folder" required multiple {...{ webkitdirectory: '' }} />
          </div>
        </Way>
        <Way visit={visit} title="A file" action="Read the file" drops>
          <div class="field">
            <label for="file">File: choose it, or drop it here</label>
            <input
              id="file"
              type="file"
              name="file"
              required
              accept=".zip,.json,application/zip,application/json"
              aria-describedby="file-said"
            />
            <p id="file-said" class="hint">
              An export of Ghost (JSON), a snapshot of Broadsheet (JSON), or a zip of a folder of Markdown.
            </p>
          </div>
        </Way>
      </div>
    </Page>
  );
}

/** One way to hand something over, with its own form: a browser fills in one field or the other. */
function Way({
  visit,
  title,
  action,
  drops,
  children,
}: {
  visit: BlogVisit;
  title: string;
  action: string;
  /** Whether a file may be dropped anywhere on it. */
  drops?: boolean;
  children: Child;
}) {
  return (
    <Form visit={visit} to={panelPath(visit.blog.id, 'import')} files data={FOLLOWED}>
      <h2>{title}</h2>
      <div class="drop" {...(drops && { 'data-drop': '' })}>
        {children}
        <button class="button first" type="submit">
          {action}
        </button>
      </div>
    </Form>
  );
}

/** Where scripts show how far it is. */
const FOLLOWED = { 'data-progress': '' } as const;

/** What would change, before it does. */
export function ChangesPage({
  visit,
  changes,
  notes,
  upload,
  file,
}: {
  visit: BlogVisit;
  changes: readonly BlogChanges[];
  notes: readonly string[];
  /** The name under which the content that was read is stored. */
  upload: string;
  file: string;
}) {
  const numbers = numbersOf(visit.locale);
  const removable = changes.some(({ kinds }) => Object.values(kinds).some(({ removed }) => removed.length > 0));
  return (
    <Page visit={visit} title="What would change" here="import">
      <p class="lead">“{file}” was read without a problem. Nothing has changed yet.</p>
      {changes.map((blog) => (
        <section class="scroll" aria-label={blog.name}>
          {changes.length > 1 || blog.id !== visit.blog.id ? (
            <h2>
              {blog.name} {blog.isNew && <span class="state waiting">new blog</span>}
            </h2>
          ) : null}
          <table>
            <thead>
              <tr>
                <th scope="col" />
                <th scope="col">New</th>
                <th scope="col">Changed</th>
                <th scope="col">The same</th>
                <th scope="col">Not in the file</th>
              </tr>
            </thead>
            <tbody>
              {(Object.entries(blog.kinds) as [Kind, KindChanges][]).map(
                ([kind, { added, changed, same, removed }]) => (
                  <tr>
                    <th scope="row">{kind}</th>
                    <td>
                      <Names names={added} numbers={numbers} />
                    </td>
                    <td>
                      <Names names={changed} numbers={numbers} />
                    </td>
                    <td>{numbers.count(same)}</td>
                    <td>
                      <Names names={removed} numbers={numbers} />
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </section>
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
      <Form visit={visit} to={panelPath(visit.blog.id, 'import')} data={FOLLOWED}>
        <input type="hidden" name="upload" value={upload} />
        <input type="hidden" name="name" value={file} />
        {removable && (
          <p>
            <label>
              <input type="checkbox" name="prune" value="yes" /> Also remove posts, categories and tags that are not in
              the file
            </label>
          </p>
        )}
        <div class="actions">
          <button class="button first" type="submit">
            Import it
          </button>
          <a class="button" href={panelPath(visit.blog.id, 'import')}>
            Leave it
          </a>
        </div>
      </Form>
    </Page>
  );
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

/** The keys of blogs that an import created: they are shown this once. */
export function NewKeysPage({
  visit,
  keys,
}: {
  visit: BlogVisit;
  keys: readonly { readonly id: string; readonly newKey: string }[];
}) {
  return (
    <Page visit={visit} title="Imported" here="import">
      <div class="narrow">
        <p role="status">Everything was imported. These API keys were created, and they are shown only now:</p>
        <dl>
          {keys.map(({ id, newKey }) => (
            <>
              <dt>{id}</dt>
              <dd>
                <code>{newKey}</code>
              </dd>
            </>
          ))}
        </dl>
        <a class="button first" href={panelPath(visit.blog.id, 'posts')}>
          Continue
        </a>
      </div>
    </Page>
  );
}
