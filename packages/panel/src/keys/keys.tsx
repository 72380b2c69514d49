/** @jsxImportSource hono/jsx */
import type { KeyRecord } from '@broadsheet/store';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { numbersOf } from '../figures/numbers.ts';
import { Field, Form, OtherProblems, type Problems } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { type Column, Table } from '../layout/table.tsx';

/** The keys of a blog and the sites whose clicks count. */
export function KeysPage({
  visit,
  keys,
  domains,
  problems = [],
}: {
  visit: BlogVisit;
  keys: readonly KeyRecord[];
  domains: string;
  problems?: Problems;
}) {
  const { blog, url } = visit;
  const manages = mayManage(visit);
  const columns = columnsOf(visit);
  const valid = keys.filter(({ revokedAt }) => revokedAt === null).length;
  return (
    <Page visit={visit} title="Keys and domains" here="keys">
      <section aria-labelledby="keys">
        <div class="heading">
          <h2 id="keys">Keys</h2>
          {manages && (
            <div class="actions">
              <Form visit={visit} to={panelPath(blog.id, 'keys', 'create')}>
                <button class="button" type="submit">
                  New key beside these
                </button>
              </Form>
              <a class="button danger" href={panelPath(blog.id, 'keys', 'rotate')}>
                Rotate
              </a>
            </div>
          )}
        </div>
        <p>
          A key opens what {blog.name} has published, and its ads. It stands in the pages of your site, where everyone
          can read it: domains say whose clicks count. Rotating revokes every key there is and makes a new one.
        </p>
        {keys.length === 0 ? (
          <p class="empty">There is no key: nobody can read {blog.name}, and no ad is delivered.</p>
        ) : (
          <Table caption={`Keys, ${valid} of them valid`} url={url} sort="state" columns={columns} rows={keys} />
        )}
      </section>
      <section class="narrow" aria-labelledby="domains-head">
        <h2 id="domains-head">Domains</h2>
        <p>
          {blog.domains.length === 0
            ? 'There is none: a click counts from a page of any site, also from one that copied your key.'
            : 'A click counts only when it comes from a page of one of these.'}
        </p>
        <Form visit={visit} to={panelPath(blog.id, 'keys', 'domains')}>
          <input type="hidden" name="before" value={blog.domains.join(' ')} />
          <OtherProblems problems={problems} fields={['domains']} />
          <fieldset disabled={!manages}>
            <Field
              name="domains"
              label="One on each line"
              problems={problems}
              hint={
                <>
                  <code>news.example</code> is that host alone; <code>*.news.example</code> every host below it;{' '}
                  <code>localhost:4000</code> that port alone. Empty lets in every site.
                </>
              }
            >
              {(input) => (
                <textarea {...input} rows={4} spellcheck={false}>
                  {domains}
                </textarea>
              )}
            </Field>
            {manages && (
              <button class="button" type="submit">
                Save domains
              </button>
            )}
          </fieldset>
        </Form>
      </section>
    </Page>
  );
}

function columnsOf(visit: BlogVisit): Column<KeyRecord>[] {
  const numbers = numbersOf(visit.locale);
  const columns: Column<KeyRecord>[] = [
    { key: 'id', name: 'Key', by: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
    {
      key: 'created',
      name: 'Made',
      spare: true,
      by: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => numbers.moment(createdAt),
    },
    {
      key: 'state',
      name: 'State',
      by: ({ revokedAt }) => revokedAt ?? '',
      cell: ({ revokedAt }) =>
        revokedAt === null ? (
          <span class="state running">valid</span>
        ) : (
          <span class="state ended">revoked {numbers.fullDay(revokedAt)}</span>
        ),
    },
  ];
  if (mayManage(visit))
    columns.push({
      key: 'change',
      name: 'Change',
      numeric: true,
      cell: ({ id, revokedAt }) =>
        revokedAt === null && (
          <a class="button small danger" href={panelPath(visit.blog.id, 'keys', id, 'revoke')}>
            Revoke<span class="unseen"> {id}</span>
          </a>
        ),
    });
  return columns;
}
