import { WEBHOOK_TYPES } from '@broadsheet/contract';
import { hookMessageState } from '@broadsheet/management';
import type { HookMessage, HookRecord } from '@broadsheet/store';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Button } from '../layout/button.tsx';
import { ConfirmButton } from '../layout/confirm.tsx';
import { Field, Form, FormButton, ProblemList, type Problems } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { type Columns, Moment, Table } from '../layout/table.tsx';

interface HooksPageProps {
  visit: BlogVisit;
  hooks: readonly HookRecord[];
  messages: readonly HookMessage[];
  /** The secret of a webhook that was just added or rotated. */
  secret?: string;
  typed?: string;
  problems?: Problems;
}

/** The webhooks of a blog, and what was sent to them. */
export function HooksPage({ visit, hooks, messages, secret, typed = '', problems = [] }: HooksPageProps) {
  const { blog, url } = visit;
  return (
    <Page visit={visit} title="Webhooks" here="hooks">
      <p>
        A webhook notifies another server, such as the site that shows {blog.name}, of each change that readers can see.
        Requests are signed and contain no content.
      </p>
      {secret !== undefined && (
        <div role="status">
          <p>
            <strong>Your webhook secret.</strong> It is not shown again. Your site needs it to verify requests.
          </p>
          <code class="secret" data-copy="the secret">
            {secret}
          </code>
        </div>
      )}
      {hooks.length === 0 ? (
        <p class="empty">No webhooks yet.</p>
      ) : (
        <Table caption="Webhooks" url={url} columns={hookColumns(visit)} rows={hooks} />
      )}
      {mayManage(visit) && <HookForm visit={visit} typed={typed} problems={problems} />}
      {messages.length > 0 && (
        <section aria-labelledby="messages">
          <h2 id="messages">Latest messages</h2>
          <Table caption="Latest messages" url={url} columns={messageColumns(visit)} rows={messages} inOrder />
        </section>
      )}
    </Page>
  );
}

function HookForm({ visit, typed, problems }: { visit: BlogVisit; typed: string; problems: Problems }) {
  return (
    <section class="narrow" aria-labelledby="add">
      <h2 id="add">Add a webhook</h2>
      <Form visit={visit} to={panelPath(visit.blog.id, 'hooks')}>
        <ProblemList problems={problems} labels={{ url: 'URL' }} />
        <Field name="url" label="URL" type="url" value={typed} problems={problems} required spellcheck={false} />
        <fieldset>
          <legend>Events</legend>
          <div class="choices">
            {WEBHOOK_TYPES.map((type) => (
              <label>
                <input type="checkbox" name="events" value={type} checked /> {type}
              </label>
            ))}
          </div>
        </fieldset>
        <Button kind="first" name="Add webhook" />
      </Form>
    </section>
  );
}

function hookColumns(visit: BlogVisit): Columns<HookRecord> {
  const { numbers } = visit;
  return [
    {
      key: 'url',
      name: 'URL',
      words: true,
      // The path may contain a secret, as that of a build hook does.
      cell: ({ url }) => <code>{mayManage(visit) ? url : new URL(url).origin}</code>,
    },
    { key: 'events', name: 'Events', spare: true, words: true, cell: ({ types }) => types.join(', ') },
    { key: 'pending', name: 'Waiting', numeric: true, cell: ({ pending }) => numbers.count(pending) },
    {
      key: 'state',
      name: 'Status',
      cell: ({ goneAt }) => (
        <span class={`state ${goneAt === null ? 'running' : 'ended'}`}>
          {goneAt === null ? 'active' : 'stopped (410 Gone)'}
        </span>
      ),
    },
    mayManage(visit) && {
      key: 'change',
      name: 'Actions',
      numeric: true,
      cell: (hook) => <HookActions visit={visit} hook={hook} />,
    },
  ];
}

function HookActions({ visit, hook: { id, url } }: { visit: BlogVisit; hook: HookRecord }) {
  const to = (action: string) => panelPath(visit.blog.id, 'hooks', id, action);
  return (
    <div class="actions">
      <FormButton visit={visit} to={to('test')} kind="small" name="Test" about={url} />
      <ConfirmButton
        visit={visit}
        to={to('rotate')}
        kind="small"
        name="Rotate secret"
        about={url}
        title="Rotate the secret?"
        action="Rotate secret"
      >
        <p>A new secret is created. For a day, requests are signed with both, so that your site has time to switch.</p>
      </ConfirmButton>
      <ConfirmButton
        visit={visit}
        to={to('delete')}
        kind="small danger"
        name="Delete"
        about={url}
        title="Delete this webhook?"
        action="Delete webhook"
      >
        <p class="warn">Messages are no longer sent to {url}. Waiting messages and the history are deleted, too.</p>
      </ConfirmButton>
    </div>
  );
}

const STATES = { waiting: 'waiting', retrying: 'waiting', delivered: 'running', failed: 'ended' } as const;

function messageColumns(visit: BlogVisit): Columns<HookMessage> {
  const { blog, numbers } = visit;
  return [
    { key: 'at', name: 'Time', cell: ({ event }) => <Moment at={event.timestamp} numbers={numbers} /> },
    {
      key: 'event',
      name: 'Event',
      words: true,
      cell: ({ event: { type, data } }) => `${type} ${data.slug ?? data.id ?? ''}`.trim(),
    },
    {
      key: 'state',
      name: 'Status',
      cell: (message) => {
        const state = hookMessageState(message);
        return <span class={`state ${STATES[state]}`}>{state}</span>;
      },
    },
    {
      key: 'attempts',
      name: 'Attempts',
      words: true,
      cell: (message) => <Attempts visit={visit} message={message} />,
    },
    mayManage(visit) && {
      key: 'change',
      name: 'Actions',
      numeric: true,
      cell: ({ id }) => (
        <FormButton visit={visit} to={panelPath(blog.id, 'hooks', 'messages', id)} kind="small" name="Send again" />
      ),
    },
  ];
}

function Attempts({ visit: { numbers }, message: { attempts, nextAt } }: { visit: BlogVisit; message: HookMessage }) {
  return (
    <>
      {attempts.map(({ at, duration, status, text }) => (
        <details>
          <summary>
            {numbers.moment(at)}: {status ?? 'no response'}, {numbers.count(duration)} ms
          </summary>
          {text && <pre>{text}</pre>}
        </details>
      ))}
      {nextAt !== null && attempts.length > 0 && (
        <p class="hint">Next attempt: {numbers.moment(new Date(nextAt).toISOString())}</p>
      )}
    </>
  );
}
