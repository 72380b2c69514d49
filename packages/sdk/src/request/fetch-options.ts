import { tagsOf } from '../cache/tags.ts';
import type { Target, Task } from '../calls/task.ts';
import type { FetchOptions } from '../options.ts';
import type { Settings } from '../settings.ts';

/** What of the options of the client and of the call reaches `fetch`. */
export function fetchOptionsOf({ options }: Settings, task: Task, { effect }: Target): FetchOptions {
  const { cache, ...merged }: FetchOptions = { ...options.fetchOptions, ...task.options.fetchOptions };
  if (effect !== 'read') {
    // An ad from a cache would be an impression that nobody counts.
    const { next: _next, cf: _cf, ...rest } = merged;
    return accepts('no-store') ? { ...rest, cache: 'no-store' } : rest;
  }
  if (options.nextTags)
    merged.next = { ...merged.next, tags: [...(merged.next?.tags ?? []), ...tagsOf(task.id, task.params)] };
  if (cache === undefined) return merged;
  if (accepts(cache)) return { ...merged, cache };
  warnOnce(cache);
  return merged;
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
