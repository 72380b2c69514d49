import { WEBHOOK_TYPES, type WebhookType } from '@broadsheet/contract';
import type { HookMessage, HookRecord, NewHook } from '@broadsheet/store';
import { missing, requireBlog } from '../operations/blogs.ts';
import { OperationError, type OperationProblem } from '../operations/operation-error.ts';
import type { ManagedStore } from '../remote/verbs.ts';
import { newSecret } from './signature.ts';
import { wrongUrl } from './wrong-hook.ts';

/** The webhooks of a blog, oldest first. @throws OperationError */
export async function listHooks(store: ManagedStore, blog: string): Promise<readonly HookRecord[]> {
  const hooks = await store.listHooks(blog);
  if (hooks.length === 0) await requireBlog(store, blog);
  return hooks;
}

/** Adds a webhook; its secret is returned only once. Without events, it gets all of them. @throws OperationError */
export async function addHook(
  store: ManagedStore,
  blog: string,
  { url, events }: { readonly url: string; readonly events: readonly string[] },
  now: number,
): Promise<NewHook> {
  await requireBlog(store, blog);
  const types = WEBHOOK_TYPES.filter((type) => events.length === 0 || events.includes(type));
  const unknown = events.filter((event) => !types.includes(event as WebhookType));
  const problems: OperationProblem[] = unknown.map((event) => ({
    at: 'events',
    message: `expected one or more of ${WEBHOOK_TYPES.join(', ')}, received ${JSON.stringify(event)}`,
  }));
  const wrong = wrongUrl(url);
  if (wrong) problems.push(wrong);
  if (problems.length > 0) throw new OperationError(problems);
  const id = crypto.randomUUID().slice(-12);
  const hook = { id, url: new URL(url).href, types, secret: newSecret() };
  await store.addHook(blog, hook, now);
  return hook;
}

/** Replaces the secret of a webhook; requests are signed with both for a day. @throws OperationError */
export async function rotateHook(store: ManagedStore, blog: string, id: string, now: number): Promise<string> {
  const secret = newSecret();
  if (!(await store.rotateHook(blog, { id, secret }, now))) await missing(store, blog, 'webhook', id);
  return secret;
}

/** Deletes a webhook with its messages. @throws OperationError */
export async function deleteHook(store: ManagedStore, blog: string, id: string): Promise<void> {
  if (!(await store.deleteHook(blog, id))) await missing(store, blog, 'webhook', id);
}

/** Sends an event that changes nothing, and returns the id of the message. @throws OperationError */
export async function testHook(store: ManagedStore, blog: string, id: string): Promise<string> {
  return (await store.testHook(blog, id)) ?? missing(store, blog, 'webhook', id);
}

/** Sends a message once more. @throws OperationError */
export async function sendHookMessage(store: ManagedStore, blog: string, id: string): Promise<void> {
  if (!(await store.sendHookMessage(blog, id))) await missing(store, blog, 'message', id);
}

/** The state of a message: `waiting` for an attempt, `retrying`, `delivered`, or `failed` after the last attempt. */
export function hookMessageState({ attempts, nextAt }: HookMessage): 'waiting' | 'retrying' | 'delivered' | 'failed' {
  if (nextAt !== null) return attempts.length === 0 ? 'waiting' : 'retrying';
  const { status = 0 } = attempts.at(-1) ?? {};
  return status >= 200 && status < 300 ? 'delivered' : 'failed';
}
