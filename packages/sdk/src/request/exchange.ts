import { tagsOf } from '@broadsheet/contract';
import { bodyOf, headersOf, type Target, type Task, targetOf, urlOf } from '../calls/task.ts';
import { setOf } from '../check-options.ts';
import type { EndpointId } from '../endpoint-id.ts';
import type { Attempt } from '../errors/error-facts.ts';
import type { CallOptions, FetchOptions } from '../options.ts';
import type { Defaults, Settings } from '../settings.ts';
import { Deadline } from './deadline.ts';
import type { Middleware } from './middleware.ts';

/** One call in progress: its request, its options, its deadline, and the attempts so far. */
export interface Exchange {
  readonly settings: Settings;
  readonly task: Task;
  readonly id: EndpointId;
  readonly endpoint: Target;
  readonly url: string;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Those of the call over those of the client. */
  readonly options: CallOptions & Defaults;
  readonly fetchOptions: FetchOptions;
  readonly middleware: readonly Middleware[];
  readonly deadline: Deadline;
  readonly attempts: Attempt[];
}

/**
 * Prepares a call.
 *
 * @throws InputError for arguments that cannot be sent.
 */
export function createExchange(settings: Settings, task: Task): Exchange {
  const { id } = task;
  const options = { ...settings.options, ...setOf(task.options) };
  const endpoint = targetOf(task);
  const url = urlOf(settings, task);
  return {
    settings,
    task,
    id,
    endpoint,
    url,
    headers: headersOf(settings, task),
    body: bodyOf(task),
    options,
    fetchOptions: fetchOptionsOf(settings, task, endpoint),
    middleware: [...(settings.options.middleware ?? []), ...(task.options.middleware ?? [])],
    deadline: new Deadline(id, url, options.timeout, [settings.options.signal, task.options.signal, task.signal]),
    attempts: [],
  };
}

/** The options of the client and of the call that reach `fetch`. */
function fetchOptionsOf({ options }: Settings, task: Task, { effect }: Target): FetchOptions {
  const merged: { -readonly [Name in keyof FetchOptions]: FetchOptions[Name] } = {
    ...options.fetchOptions,
    ...task.options.fetchOptions,
  };
  if (effect === 'read') {
    if (options.nextTags)
      merged.next = { ...merged.next, tags: [...(merged.next?.tags ?? []), ...tagsOf(task.id, task.params)] };
  } else {
    // An ad from a cache would be an impression that nobody counts.
    merged.cache = 'no-store';
    delete merged.next;
    delete merged.cf;
  }
  // workerd throws for most cache modes, and for all of them before November 2024.
  if (merged.cache && globalThis.navigator?.userAgent === 'Cloudflare-Workers') delete merged.cache;
  return merged;
}
