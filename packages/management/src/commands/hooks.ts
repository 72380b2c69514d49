import { choice, LIMITS, list, optional, text, WEBHOOK_TYPES } from '@broadsheet/contract';
import { type Attempt, MAX_HOOKS } from '@broadsheet/store';
import { notFound } from '../operations/items.ts';
import { OperationError, type OperationProblem } from '../operations/operation-error.ts';
import { hookMessageState } from '../webhooks/message-state.ts';
import { newSecret } from '../webhooks/signature.ts';
import { command, flagged, position } from './command.ts';
import { table } from './text-table.ts';

const hook = position(text({ max: 100 }), 'id of the webhook, as "hooks list" shows it', { sample: '62af8704764f' });
const MOST = 1000;
/** The number of messages in a list. */
const LATEST = 20;
const TOO_MANY: OperationProblem = { message: `a blog has at most ${MAX_HOOKS} webhooks; delete one first` };

/** What is wrong with the URL of a webhook. */
function wrongUrl(typed: string): OperationProblem[] {
  const at = 'url';
  const url = URL.parse(typed);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return [{ at, message: `expected an http(s) URL, received ${JSON.stringify(typed)}` }];
  }
  const message = 'must not contain a user name or a password; the signature proves who sends';
  return url.username || url.password ? [{ at, message }] : [];
}

/** What operators do with the webhooks of a blog. */
export const hooks = {
  'hooks.list': command({
    help: 'list the webhooks of a blog with their latest messages',
    args: {},
    run: async ({ store, blog }) => ({
      hooks: await store.listHooks(blog),
      messages: await store.listHookMessages(blog, LATEST),
      isSending: await store.isSendingHooks(),
    }),
    hasTimes: true,
    text({ hooks: listed, messages }, _, blog, written) {
      if (listed.length === 0) return `${blog} has no webhooks yet; "broadsheet hooks add ${blog} URL" adds one.`;
      const rows = listed.map(({ id, url, types, pending, goneAt }) => {
        return [id, url, types.join(' '), pending, goneAt === null ? 'active' : 'gone'];
      });
      const latest = messages.map((message) => {
        const { event, hookId, attempts } = message;
        const last = attempts.at(-1);
        const response = last ? `${last.status ?? ''} ${last.text.split('\n')[0]?.slice(0, 60)}`.trim() : '';
        const subject = event.data.slug ?? event.data.id ?? '';
        return [
          written(event.timestamp),
          hookId,
          event.type,
          subject,
          hookMessageState(message),
          attempts.length,
          response,
        ];
      });
      const headings = ['TIME', 'HOOK', 'EVENT', 'OF', 'STATE', 'ATTEMPTS', 'LAST RESPONSE'];
      const tables = [table(['HOOK', 'URL', 'EVENTS', 'WAITING', 'STATE'], rows)];
      return [...tables, ...(latest.length > 0 ? [table(headings, latest)] : [])].join('\n\n');
    },
  }),
  'hooks.add': command({
    help: 'report changes of a blog to a URL, and print the secret of the webhook (only once)',
    examples: [
      'hooks add news https://site.example/api/changed',
      'hooks add news https://site.example/api/changed --events post.published post.removed',
    ],
    args: {
      url: position(text(LIMITS.url), 'where the requests are sent'),
      events: flagged(
        optional(list(choice(WEBHOOK_TYPES), { min: 1 })),
        'type',
        `only these events of ${WEBHOOK_TYPES.join(', ')} (default: all)`,
      ),
    },
    async run({ store, blog, now }, { url, events = [...WEBHOOK_TYPES] }) {
      const problems = wrongUrl(url);
      if ((await store.listHooks(blog)).length >= MAX_HOOKS) problems.push(TOO_MANY);
      if (problems.length > 0) throw new OperationError(problems);
      const types = WEBHOOK_TYPES.filter((type) => events.includes(type));
      const added = { id: crypto.randomUUID().slice(-12), url: new URL(url).href, types, secret: newSecret() };
      // Somebody else may have added the last one meanwhile.
      if (!(await store.addHook(blog, added, now))) throw new OperationError([TOO_MANY]);
      return { blog, ...added };
    },
    text: ({ id, types, secret }) =>
      `Added the webhook ${id}, which gets ${types.join(', ')}.\nIts secret, shown only once: ${secret}`,
    log: ({ id, url }) => `added the webhook ${id} to ${new URL(url).origin}`,
  }),
  'hooks.test': command({
    help: 'send a ping, which reports no change, and show the response',
    args: { hook },
    run: async ({ store, blog }, { hook: id }) => ({
      message: (await store.testHook(blog, id)) ?? notFound(blog, 'webhook', id),
    }),
    text: (attempt) => {
      // The command line waits for the attempt.
      const { status, duration } = attempt as unknown as Attempt;
      return `The receiver responded with ${status} after ${duration} ms.`;
    },
    log: (_, { hook: id }) => `tested the webhook ${id}`,
  }),
  'hooks.rotate': command({
    help: 'print a new secret (only once); for a day, requests are also signed with the old one',
    args: { hook },
    async run({ store, blog, now }, { hook: id }) {
      const secret = newSecret();
      if (!(await store.rotateHook(blog, { id, secret }, now))) notFound(blog, 'webhook', id);
      return { blog, id, secret };
    },
    text: ({ id, secret }) =>
      `For a day, requests are also signed with the old secret: replace it on the receiver by then.\nThe new secret of ${id}, shown only once: ${secret}`,
    log: ({ id }) => `rotated the secret of the webhook ${id}`,
  }),
  'hooks.delete': command({
    help: 'delete a webhook with its messages',
    args: { hook },
    async run({ store, blog }, { hook: id }) {
      if (!(await store.deleteHook(blog, id))) notFound(blog, 'webhook', id);
      return { blog, id };
    },
    text: ({ blog, id }) => `Deleted the webhook ${id} of ${blog}; its pending messages are not sent.`,
    log: ({ id }) => `deleted the webhook ${id}`,
  }),
  'hooks.resend': command({
    args: { message: position(text({ max: 100 }), 'id of the message') },
    async run({ store, blog }, { message: id }) {
      if (await store.sendHookMessage(blog, id)) return { blog, id };
      const messages = await store.listHookMessages(blog, MOST);
      if (!messages.some((message) => message.id === id)) notFound(blog, 'message', id);
      throw new OperationError('The receiver of this message is gone (410): send a test first.', 'CONFLICT');
    },
    log: ({ id }) => `sent the webhook message ${id} again`,
  }),
};
