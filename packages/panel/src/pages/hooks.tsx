import { WEBHOOK_TYPES } from '@broadsheet/contract';
import { hookMessageState, OperationError, whyTestWaits } from '@broadsheet/management';
import type { HookMessage, HookRecord } from '@broadsheet/store';
import { commandForms } from '../access/command-forms.ts';
import { send } from '../access/send.tsx';
import { showOnce, textsOf } from '../access/sent.ts';
import { currentBlogVisit, currentNumbers, currentVisit, mayManage, type Routes } from '../access/visit.ts';
import { Choices, Field, Form, FormButton } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { actionColumn, type Columns, Moment, State, Table } from '../layout/table.tsx';

const LATEST = 100;

const SECRET = 'Your webhook secret. It will not be shown again. Your site needs it to verify requests.';
const showSecret = ({ secret }: { secret: string }) => showOnce('the secret', secret, SECRET);

export const hookRoutes: Routes = (app, options) => {
  app.get('/panel/:blog/hooks', async (c) => {
    const { store } = options;
    const { id } = c.get('blogVisit').blog;
    return send(c, <HooksPage hooks={await store.listHooks(id)} messages={await store.listHookMessages(id, LATEST)} />);
  });
  commandForms(app, options, 'hooks', {
    'hooks.add': {
      // Without any event, the command would take all.
      args({ form, typed }) {
        const events = textsOf(form, 'events');
        if (events.length > 0) return { ...typed, events };
        throw new OperationError([{ at: 'events', message: 'select at least one event' }]);
      },
      shows: showSecret,
    },
    'hooks.rotate': { shows: showSecret },
    'hooks.test': { shows: { done: 'sending' } },
    'hooks.delete': { shows: { done: 'deleted' } },
    'hooks.resend': { shows: { done: 'sending' } },
  });
};

function HooksPage({ hooks, messages }: { hooks: readonly HookRecord[]; messages: readonly HookMessage[] }) {
  const types = WEBHOOK_TYPES.map((type) => [type, type] as const);
  return (
    <Page title="Webhooks" here="hooks" labels={{ url: 'URL', events: 'Events' }}>
      <p>
        A webhook notifies another server, such as the site that shows <bdi>{currentBlogVisit().blog.name}</bdi>, of
        each change that readers can see. Requests are signed and contain no content.
      </p>
      <Table caption="Webhooks" columns={hookColumns()} rows={hooks} empty="No webhooks yet." />
      {mayManage() && (
        <Section id="add" title="Add a webhook" class="narrow">
          <Form to="hooks.add" submit="Add webhook" submitKind="first">
            <Field name="url" label="URL" type="url" required spellcheck={false} />
            <Choices legend="Events" type="checkbox" name="events" options={types} chosen={WEBHOOK_TYPES} />
          </Form>
        </Section>
      )}
      {messages.length > 0 && (
        <Section id="messages" title="Latest messages">
          <Table caption="Messages" columns={messageColumns(hooks)} rows={messages} />
        </Section>
      )}
    </Page>
  );
}

const hookColumns = (): Columns<HookRecord> => [
  {
    name: 'URL',
    wraps: true,
    // The path may contain a secret, such as the path of a build hook.
    cell: ({ url }) => <code>{mayManage() ? url : new URL(url).origin}</code>,
  },
  { name: 'Events', spare: true, wraps: true, cell: ({ types }) => types.join(', ') },
  { name: 'Waiting', numeric: true, spare: true, cell: ({ pending }) => currentNumbers().count(pending) },
  {
    name: 'Status',
    cell: ({ goneAt }) =>
      goneAt === null ? <State is="running">active</State> : <State is="ended">stopped (410 Gone)</State>,
  },
  actionColumn((hook) => <HookActions hook={hook} />),
];

function HookActions({ hook: { id, url } }: { hook: HookRecord }) {
  const button = { fields: { hook: id }, about: url, kind: 'small' } as const;
  return (
    <div class="actions">
      <FormButton {...button} to="hooks.test" name="Test" />
      <FormButton {...button} to="hooks.rotate" name="Rotate secret" confirm="Rotate the secret?">
        <p>
          A new secret will be created. For a day, requests are also signed with the old one, so that your site has time
          to switch.
        </p>
      </FormButton>
      <FormButton
        {...button}
        to="hooks.delete"
        kind="small danger"
        name="Delete"
        confirm="Delete this webhook?"
        action="Delete webhook"
      >
        <p class="warn">Messages are no longer sent to {url}. Waiting messages and the history are deleted, too.</p>
      </FormButton>
    </div>
  );
}

const hostOf = (hook: HookRecord | undefined): string => (hook ? new URL(hook.url).host : 'a deleted webhook');

const STATES = { waiting: 'waiting', retrying: 'waiting', delivered: 'running', failed: 'ended' } as const;

const messageColumns = (hooks: readonly HookRecord[]): Columns<HookMessage> => [
  {
    name: 'Event',
    wraps: true,
    cell: (message) => (
      <>
        {[message.event.type, message.event.data.slug ?? message.event.data.id].filter(Boolean).join(' ')}
        <small>
          <Moment at={message.event.timestamp} />
        </small>
        <small>
          to <bdi>{hostOf(hooks.find(({ id }) => id === message.hookId))}</bdi>
        </small>
        <span class="brief">
          <MessageState message={message} />
        </span>
      </>
    ),
  },
  { name: 'Status', spare: true, cell: (message) => <MessageState message={message} /> },
  { name: 'Attempts', wraps: true, cell: (message) => <Attempts message={message} /> },
  actionColumn(({ id }) => <FormButton to="hooks.resend" fields={{ message: id }} kind="small" name="Send again" />),
];

function MessageState({ message }: { message: HookMessage }) {
  const state = hookMessageState(message);
  return <State is={STATES[state]}>{state}</State>;
}

function Attempts({ message }: { message: HookMessage }) {
  const [numbers, { now }] = [currentNumbers(), currentVisit()];
  const { attempts, nextAt, event } = message;
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
      {event.type === 'ping' && hookMessageState(message) === 'waiting' && <p class="hint">{whyTestWaits(true)}</p>}
      {nextAt !== null && attempts.length > 0 && (
        <p class="hint">Next attempt: {nextAt <= now ? 'now' : numbers.moment(new Date(nextAt).toISOString())}</p>
      )}
    </>
  );
}
