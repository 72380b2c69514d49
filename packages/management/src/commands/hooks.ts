import { choice, LIMITS, list, optional, text, WEBHOOK_SECRET_PREFIX, WEBHOOK_TYPES } from '@broadsheet/contract';
import { type Attempt, type HookMessage, MAX_HOOKS, toBase64 } from '@broadsheet/store';
import { notFound, OperationError } from '../operations/operation-error.ts';
import { command, flagged, position } from './command.ts';
import { type Columns, table } from './text-table.ts';

const hook = position(text({ max: 100 }), 'id of the webhook, as "hooks list" shows it', { sample: '62af8704764f' });
const MOST = 1000;
/** The number of messages in a list. */
const LATEST = 20;

const HOOK_COLUMNS: Columns = { HOOK: 'id', URL: 'url', EVENTS: 'text', WAITING: 'text', STATE: 'text' };
const MESSAGE_COLUMNS: Columns = {
  ...{ TIME: 'text', HOOK: 'id', EVENT: 'text', OF: 'id', STATE: 'text' },
  ...{ ATTEMPTS: 'text', 'LAST RESPONSE': 'text' },
};

/** @throws OperationError */
function requireHookUrl(typed: string): void {
  const url = URL.parse(typed);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (isWeb && !url.username && !url.password) return;
  const message = isWeb
    ? 'must not contain a user name or a password; the signature identifies the sender'
    : `expected an http(s) URL, received ${JSON.stringify(typed)}`;
  throw new OperationError([{ at: 'url', message }]);
}

/** The commands for the webhooks of a blog. */
export const hooks = {
  'hooks.list': command({
    effect: 'read',
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
        const response = last ? `${last.status ?? ''} ${last.text.split('\n')[0]}`.trim() : null;
        const subject = event.data.slug ?? event.data.id ?? null;
        const state = hookMessageState(message);
        return [written(event.timestamp), hookId, event.type, subject, state, attempts.length, response];
      });
      return [table(HOOK_COLUMNS, rows), ...(latest.length > 0 ? [table(MESSAGE_COLUMNS, latest)] : [])];
    },
  }),
  'hooks.add': command({
    effect: 'write',
    touches: ['hooks'],
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
        `events to send, from ${WEBHOOK_TYPES.join(', ')} (default: all)`,
      ),
    },
    async run({ store, blog, now }, { url, events = [...WEBHOOK_TYPES] }) {
      requireHookUrl(url);
      const types = WEBHOOK_TYPES.filter((type) => events.includes(type));
      const added = { id: crypto.randomUUID().slice(-12), url: new URL(url).href, types, secret: newSecret() };
      if (await store.addHook(blog, added, now)) return { blog, ...added };
      throw new OperationError(`a blog has at most ${MAX_HOOKS} webhooks; delete one first`);
    },
    text: ({ id, types, secret }) =>
      `Added the webhook ${id}, which gets ${types.join(', ')}.\nIts secret, shown only once: ${secret}`,
    log: ({ id, url }) => `added the webhook ${id} to ${new URL(url).origin}`,
  }),
  'hooks.test': command({
    effect: 'write',
    touches: ['hooks'],
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
    effect: 'write',
    touches: ['hooks'],
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
    effect: 'write',
    touches: ['hooks'],
    help: 'delete a webhook with its messages; those that wait are not sent',
    args: { hook },
    async run({ store, blog }, { hook: id }) {
      if (!(await store.deleteHook(blog, id))) notFound(blog, 'webhook', id);
      return { blog, id };
    },
    log: ({ id }) => `deleted the webhook ${id}`,
  }),
  'hooks.resend': command({
    effect: 'write',
    touches: ['hooks'],
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

/** A new secret of a webhook: 256 random bits. */
export function newSecret(): string {
  return WEBHOOK_SECRET_PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(32)));
}

/** The state of a message: `waiting` for an attempt, `retrying`, `delivered`, or `failed` after the last attempt. */
export function hookMessageState({ attempts, nextAt }: HookMessage): 'waiting' | 'retrying' | 'delivered' | 'failed' {
  if (nextAt !== null) return attempts.length === 0 ? 'waiting' : 'retrying';
  const { status = 0 } = attempts.at(-1) ?? {};
  return status >= 200 && status < 300 ? 'delivered' : 'failed';
}

/** Why a test has no response yet. It is sent before all messages that wait, so that only requests in flight delay it. */
export const whyTestWaits = (isSending: boolean): string =>
  isSending
    ? 'It is sent next, and the receiver has 15 seconds to respond. Requests in flight may delay it by another 15 seconds.'
    : 'No process sends webhooks: is "broadsheet serve" running on this database?';
