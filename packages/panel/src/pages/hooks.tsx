import { WEBHOOK_TYPES } from '@broadsheet/contract';
import {
  addHook,
  deleteHook,
  hookMessageState,
  listHooks,
  rotateHook,
  sendHookMessage,
  testHook,
} from '@broadsheet/management';
import type { HookMessage, HookRecord } from '@broadsheet/store';
import type { Hono } from 'hono';
import { type PanelEnv, textOf } from '../access/guard.tsx';
import { goTo, send } from '../access/send.ts';
import { type BlogVisit, logChange, mayManage, panelPath } from '../access/visit.ts';
import {
  Button,
  Choices,
  ConfirmButton,
  Field,
  Form,
  FormButton,
  ProblemList,
  type Problems,
} from '../layout/form.tsx';
import { Page, Secret, Section } from '../layout/page.tsx';
import { actionColumn, type Columns, Moment, Table } from '../layout/table.tsx';
import type { PanelOptions } from '../panel-options.ts';

/** The webhooks of a blog, and what was sent to them. */
export function hookRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  async function page(visit: BlogVisit, rest: Pick<HooksPageProps, 'secret' | 'typed' | 'problems'> = {}) {
    const hooks = await listHooks(store, visit.blog.id);
    const messages = await store.listHookMessages(visit.blog.id, LATEST);
    return <HooksPage visit={visit} hooks={hooks} messages={messages} {...rest} />;
  }
  const done = ({ blog }: BlogVisit, what: string) => goTo(`${panelPath(blog.id, 'hooks')}?done=${what}`);

  app.get('/panel/:blog/hooks', async (c) => send(await page(c.get('blogVisit'))));

  app.post('/panel/:blog/hooks', async (c) => {
    const visit = c.get('blogVisit');
    const form = c.get('form');
    const url = textOf(form, 'url').trim();
    const events = [form['events'] ?? []].flat().map(String);
    c.set('again', (problems) => page(visit, { typed: url, problems }));
    const { id, secret } = await addHook(store, visit.blog.id, { url, events }, visit.now);
    await logChange(store, visit, `added the webhook ${id} to ${new URL(url).origin}`);
    return send(await page(visit, { secret }));
  });

  app.post('/panel/:blog/hooks/:hook/rotate', async (c) => {
    const [visit, id] = [c.get('blogVisit'), c.req.param('hook')];
    const secret = await rotateHook(store, visit.blog.id, id, visit.now);
    await logChange(store, visit, `rotated the secret of the webhook ${id}`);
    return send(await page(visit, { secret }));
  });

  app.post('/panel/:blog/hooks/:hook/test', async (c) => {
    const [visit, id] = [c.get('blogVisit'), c.req.param('hook')];
    await testHook(store, visit.blog.id, id);
    await logChange(store, visit, `tested the webhook ${id}`);
    return done(visit, 'sending');
  });

  app.post('/panel/:blog/hooks/:hook/delete', async (c) => {
    const [visit, id] = [c.get('blogVisit'), c.req.param('hook')];
    await deleteHook(store, visit.blog.id, id);
    await logChange(store, visit, `deleted the webhook ${id}`);
    return done(visit, 'deleted');
  });

  app.post('/panel/:blog/hooks/messages/:message', async (c) => {
    const [visit, id] = [c.get('blogVisit'), c.req.param('message')];
    await sendHookMessage(store, visit.blog.id, id);
    await logChange(store, visit, `sent the webhook message ${id} again`);
    return done(visit, 'sending');
  });
}

/** The number of messages on the page. */
const LATEST = 100;

interface HooksPageProps {
  visit: BlogVisit;
  hooks: readonly HookRecord[];
  messages: readonly HookMessage[];
  /** The secret of a webhook that was just added or rotated. */
  secret?: string;
  typed?: string;
  problems?: Problems;
}

function HooksPage({ visit, hooks, messages, secret, typed = '', problems = [] }: HooksPageProps) {
  const { blog, url } = visit;
  return (
    <Page visit={visit} title="Webhooks" here="hooks">
      <p>
        A webhook notifies another server, such as the site that shows {blog.name}, of each change that readers can see.
        Requests are signed and contain no content.
      </p>
      {secret !== undefined && (
        <Secret name="the secret" value={secret}>
          <strong>Your webhook secret.</strong> It is not shown again. Your site needs it to verify requests.
        </Secret>
      )}
      <Table caption="Webhooks" url={url} columns={hookColumns(visit)} rows={hooks} empty="No webhooks yet." />
      {mayManage(visit) && <HookForm visit={visit} typed={typed} problems={problems} />}
      {messages.length > 0 && (
        <Section id="messages" title="Latest messages">
          <Table caption="Latest messages" url={url} columns={messageColumns(visit)} rows={messages} />
        </Section>
      )}
    </Page>
  );
}

function HookForm({ visit, typed, problems }: { visit: BlogVisit; typed: string; problems: Problems }) {
  return (
    <Section id="add" title="Add a webhook" class="narrow">
      <Form visit={visit} to={panelPath(visit.blog.id, 'hooks')}>
        <ProblemList problems={problems} labels={{ url: 'URL' }} />
        <Field name="url" label="URL" type="url" value={typed} problems={problems} required spellcheck={false} />
        <Choices
          legend="Events"
          type="checkbox"
          name="events"
          options={WEBHOOK_TYPES.map((type) => [type, type])}
          chosen={WEBHOOK_TYPES}
        />
        <Button kind="first" name="Add webhook" />
      </Form>
    </Section>
  );
}

function hookColumns(visit: BlogVisit): Columns<HookRecord> {
  const { numbers } = visit;
  return [
    {
      name: 'URL',
      words: true,
      // The path may contain a secret, as that of a build hook does.
      cell: ({ url }) => <code>{mayManage(visit) ? url : new URL(url).origin}</code>,
    },
    { name: 'Events', spare: true, words: true, cell: ({ types }) => types.join(', ') },
    { name: 'Waiting', numeric: true, cell: ({ pending }) => numbers.count(pending) },
    {
      name: 'Status',
      cell: ({ goneAt }) => (
        <span class={`state ${goneAt === null ? 'running' : 'ended'}`}>
          {goneAt === null ? 'active' : 'stopped (410 Gone)'}
        </span>
      ),
    },
    actionColumn(visit, (hook) => <HookActions visit={visit} hook={hook} />),
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
    { name: 'Time', cell: ({ event }) => <Moment at={event.timestamp} numbers={numbers} /> },
    {
      name: 'Event',
      words: true,
      cell: ({ event: { type, data } }) => `${type} ${data.slug ?? data.id ?? ''}`.trim(),
    },
    {
      name: 'Status',
      cell: (message) => {
        const state = hookMessageState(message);
        return <span class={`state ${STATES[state]}`}>{state}</span>;
      },
    },
    { name: 'Attempts', words: true, cell: (message) => <Attempts visit={visit} message={message} /> },
    actionColumn(visit, ({ id }) => (
      <FormButton visit={visit} to={panelPath(blog.id, 'hooks', 'messages', id)} kind="small" name="Send again" />
    )),
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
