import { tagsOf } from '../cache/tags.ts';
import type { Target, Task } from '../calls/task.ts';
import type { FetchOptions } from '../options.ts';
import type { Settings } from '../settings.ts';

/** What of the options of the client and of the call reaches `fetch`. */
export function fetchOptionsOf({ options }: Settings, task: Task, { effect }: Target): FetchOptions {
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
