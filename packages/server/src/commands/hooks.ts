import { setTimeout as sleep } from 'node:timers/promises';
import {
  addHook as add,
  hookMessageState,
  listHooks as list,
  type ManagedStore,
  OperationError,
  deleteHook as remove,
  rotateHook as rotate,
  testHook as startTest,
} from '@broadsheet/management';
import { type CommandFlags, withStore } from '../database/database.ts';
import { printResult } from '../program/output.ts';
import { table } from '../program/table.ts';

/** The number of messages in a list. */
const LATEST = 20;
/** Milliseconds to wait for a running server to send a test, and for the receiver to respond. */
const TEST_WAIT = 20_000;
const POLL = 200;

export async function listHooks(blog: string, flags: CommandFlags): Promise<void> {
  const { hooks, messages } = await withStore(flags, {}, async (store) => ({
    hooks: await list(store, blog),
    messages: await store.listHookMessages(blog, LATEST),
  }));
  const rows = hooks.map(({ id, url, types, pending, goneAt }) => [
    id,
    url,
    types.join(' '),
    pending,
    goneAt === null ? 'active' : 'gone',
  ]);
  const latest = messages.map((message) => {
    const { event, hookId, attempts } = message;
    const last = attempts.at(-1);
    const response = last ? `${last.status ?? ''} ${last.text.split('\n')[0]?.slice(0, 60)}`.trim() : '';
    const subject = event.data.slug ?? event.data.id ?? '';
    return [event.timestamp, hookId, event.type, subject, hookMessageState(message), attempts.length, response];
  });
  const headings = ['TIME', 'HOOK', 'EVENT', 'OF', 'STATE', 'ATTEMPTS', 'LAST RESPONSE'];
  const tables = [table(['HOOK', 'URL', 'EVENTS', 'WAITING', 'STATE'], rows)];
  if (latest.length > 0) tables.push(table(headings, latest));
  const none = `${blog} has no webhooks yet; "broadsheet hooks add ${blog} URL" adds one.`;
  printResult(flags, { hooks, messages }, rows.length > 0 ? tables.join('\n\n') : none);
}

export async function addHook(
  blog: string,
  url: string,
  flags: CommandFlags & { readonly events?: readonly string[] },
): Promise<void> {
  const events = (flags.events ?? []).flatMap((names) => names.split(','));
  const { id, types, secret } = await withStore(flags, {}, (store) => add(store, blog, { url, events }, Date.now()));
  const text = `Added the webhook ${id}, which gets ${types.join(', ')}.\nIts secret, shown only once: ${secret}`;
  printResult(flags, { blog, id, url, types, secret }, text);
}

/** `broadsheet hooks test BLOG HOOK`: the server sends it, so this waits for the response. */
export async function testHook(blog: string, id: string, flags: CommandFlags): Promise<void> {
  const attempt = await withStore(flags, {}, async (store) =>
    firstAttempt(store, blog, await startTest(store, blog, id)),
  );
  if (!attempt) throw new OperationError('The test was not sent within 20 seconds. Is "broadsheet serve" running?');
  const { status, text, duration } = attempt;
  const isWell = status !== undefined && status >= 200 && status < 300;
  if (!isWell) throw new OperationError(`The test failed after ${duration} ms: ${[status, text].join(' ').trim()}`);
  printResult(flags, attempt, `The receiver responded with ${status} after ${duration} ms.`);
}

async function firstAttempt(store: ManagedStore, blog: string, messageId: string) {
  for (const end = Date.now() + TEST_WAIT; Date.now() < end; await sleep(POLL)) {
    const message = (await store.listHookMessages(blog, LATEST)).find(({ id }) => id === messageId);
    const attempt = message?.attempts[0];
    if (attempt) return attempt;
  }
  return undefined;
}

export async function rotateHook(blog: string, id: string, flags: CommandFlags): Promise<void> {
  const secret = await withStore(flags, {}, (store) => rotate(store, blog, id, Date.now()));
  const old = 'For a day, requests are also signed with the old secret: replace it on the receiver by then.';
  printResult(flags, { blog, id, secret }, `${old}\nThe new secret of ${id}, shown only once: ${secret}`);
}

export async function deleteHook(blog: string, id: string, flags: CommandFlags): Promise<void> {
  await withStore(flags, {}, (store) => remove(store, blog, id));
  printResult(flags, { blog, id }, `Deleted the webhook ${id} of ${blog}; its pending messages are not sent.`);
}
