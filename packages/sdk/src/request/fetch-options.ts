import { tagsOf } from '../cache/tags.ts';
import type { Target, Task } from '../calls/task.ts';
import type { FetchOptions } from '../options.ts';
import type { Settings } from '../settings.ts';

/** What of the options of the client and of the call reaches `fetch`. */
export function fetchOptionsOf({ options }: Settings, task: Task, { effect }: Target): FetchOptions {
  const merged: FetchOptions = { ...options.fetchOptions, ...task.options.fetchOptions };
  if (effect !== 'read') {
    // An ad from a cache would be an impression that nobody counts.
    const { next: _next, cf: _cf, cache: _cache, ...rest } = merged;
    return accepts('no-store') ? { ...rest, cache: 'no-store' } : rest;
  }
  const { cache, ...rest } = merged;
  if (cache !== undefined && !accepts(cache)) {
    warnOnce(cache);
    return withTags(rest, options.nextTags, task);
  }
  return withTags(merged, options.nextTags, task);
}

function withTags(given: FetchOptions, wanted: boolean | undefined, task: Task): FetchOptions {
  if (!wanted) return given;
  return { ...given, next: { ...given.next, tags: [...(given.next?.tags ?? []), ...tagsOf(task.id, task.params)] } };
}

const refused = new Set<RequestCache>();

/** Whether the runtime takes a cache mode. workerd throws for some, and for all of them before November 2024. */
function accepts(cache: RequestCache): boolean {
  if (globalThis.navigator?.userAgent !== 'Cloudflare-Workers') return true;
  try {
    new Request('https://blog.example', { cache });
    return true;
  } catch {
    return false;
  }
}

function warnOnce(cache: RequestCache): void {
  if (refused.has(cache)) return;
  refused.add(cache);
  console.warn(`Broadsheet: this runtime ignores fetchOptions.cache "${cache}".`);
}
