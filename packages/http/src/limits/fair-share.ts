import type { Around, BlogCall } from '@broadsheet/core';

/** The number of calls of one blog that run in parallel while several blogs have calls: enough to share commits. */
const AT_ONCE = 10;
/** Milliseconds for which the limit applies after calls of two blogs arrived. */
const SHARING = 1000;

interface BlogCalls {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Keeps one blog from delaying the others: while calls of several blogs arrive, each blog runs {@link AT_ONCE} in
 * parallel, and its other calls wait for those. If only one blog has calls, all of them run, and share commits. A call
 * counts once its body has arrived, so that unfinished requests do not block a blog.
 */
export function shareFairly(): Around<never, BlogCall> {
  const blogs = new Map<string, BlogCalls>();
  let last: string | undefined;
  let sharedUntil = 0;

  return async (call, next) => {
    const { id } = call.blog;
    if (call.request.method === 'POST' && call.endpoint) await call.body();
    const now = performance.now();
    if (last !== undefined && last !== id) sharedUntil = now + SHARING;
    last = id;
    const calls = blogs.get(id) ?? { running: 0, waiting: [] };
    blogs.set(id, calls);
    // A call that waited takes the place of the one that ended.
    if (calls.running >= AT_ONCE && now < sharedUntil) await new Promise<void>((go) => calls.waiting.push(go));
    else calls.running += 1;
    try {
      return await next();
    } finally {
      const go = calls.waiting.shift();
      if (go) go();
      else if (--calls.running === 0) blogs.delete(id);
    }
  };
}
