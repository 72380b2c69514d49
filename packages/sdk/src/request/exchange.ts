import { tagsOf } from '../cache/tags.ts';
import { bodyOf, headersOf, type Target, type Task, targetOf, urlOf } from '../calls/task.ts';
import { setOf } from '../check-options.ts';
import type { EndpointId } from '../endpoint-id.ts';
import type { Attempt } from '../errors/error-facts.ts';
import type { CallOptions, FetchOptions } from '../options.ts';
import type { Settings } from '../settings.ts';
import { Deadline } from './deadline.ts';
import type { Middleware } from './middleware.ts';

/** One call on its way: what it requests, with which options, until when, and the attempts so far. */
export interface Exchange {
  readonly settings: Settings;
  readonly task: Task;
  readonly id: EndpointId;
  readonly endpoint: Target;
  readonly url: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Those of the call over those of the client. */
  readonly options: CallOptions;
  readonly fetchOptions: FetchOptions;
  readonly middleware: readonly Middleware[];
  /** No response is read past it. */
  readonly maxBodyBytes: number;
  readonly deadline: Deadline;
  readonly attempts: Attempt[];
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Prepares a call.
 *
 * @throws InputError for what cannot be sent.
 */
export function createExchange(settings: Settings, task: Task): Exchange {
  const { id } = task;
  const options: CallOptions = { ...settings.options, ...setOf(task.options) };
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
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    deadline: new Deadline(
      { endpoint: id, url },
      timeoutOf(options),
      settings.options.signal,
      task.options.signal,
      task.signal,
    ),
    attempts: [],
  };
}

/** Milliseconds a call may take. */
export const timeoutOf = ({ timeout = 30_000 }: CallOptions): number | false => timeout;

/** What of the options of the client and of the call reaches `fetch`. */
function fetchOptionsOf({ options }: Settings, task: Task, { effect }: Target): FetchOptions {
  const merged: FetchOptions = { ...options.fetchOptions, ...task.options.fetchOptions };
  // workerd throws for most cache modes, and for all of them before November 2024.
  const { cache: _cache, ...accepted } = merged;
  const onWorkers = globalThis.navigator?.userAgent === 'Cloudflare-Workers';
  if (effect === 'read') {
    const given = onWorkers ? accepted : merged;
    if (!options.nextTags) return given;
    return { ...given, next: { ...given.next, tags: [...(given.next?.tags ?? []), ...tagsOf(task.id, task.params)] } };
  }
  // An ad from a cache would be an impression that nobody counts.
  const { next: _next, cf: _cf, ...rest } = accepted;
  return onWorkers ? rest : { ...rest, cache: 'no-store' };
}
