import { type ApiCall, type Around, type Awaitable, type Blog, type CallAnswer, isPromise } from '@broadsheet/core';

/** Calls of one blog that run in parallel while several blogs have calls: enough to share commits. */
const AT_ONCE = 16;
/** Milliseconds for which the limit applies after calls of two blogs arrived. */
const SHARING = 1000;

interface BlogCalls {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Keeps one blog from delaying the others: while calls of several blogs arrive, each blog runs {@link AT_ONCE} in
 * parallel, and its other calls wait for those. If only one blog has calls, all of them run, and share commits. A call
 * counts from when its body has arrived, so that unfinished requests do not stop a blog.
 */
export function shareFairly(): Around {
  const blogs = new Map<string, BlogCalls>();
  let last: string | undefined;
  let sharedUntil = 0;

  function run(blogId: string, next: () => Awaitable<CallAnswer>): Awaitable<CallAnswer> {
    const now = performance.now();
    if (last !== undefined && last !== blogId) sharedUntil = now + SHARING;
    last = blogId;
    const calls = blogs.get(blogId);
    if (calls && calls.running >= AT_ONCE && now < sharedUntil) {
      return new Promise<void>((resolve) => calls.waiting.push(resolve)).then(() => start(blogId, next));
    }
    return start(blogId, next);
  }

  function start(blogId: string, next: () => Awaitable<CallAnswer>): Awaitable<CallAnswer> {
    const answer = next();
    if (!isPromise(answer)) {
      blogs.get(blogId)?.waiting.shift()?.();
      return answer;
    }
    const calls = blogs.get(blogId) ?? { running: 0, waiting: [] };
    calls.running += 1;
    blogs.set(blogId, calls);
    const release = () => {
      calls.running -= 1;
      const waiting = calls.waiting.shift();
      if (waiting) waiting();
      else if (calls.running === 0) blogs.delete(blogId);
    };
    answer.then(release, release);
    return answer;
  }

  return (call, next) => {
    if (call.isBeacon) return next();
    if (call.request.method === 'POST') return receive(call).then(({ id }) => run(id, next));
    const blog = call.findBlog();
    return isPromise(blog) ? blog.then(({ id }) => run(id, next)) : run(blog.id, next);
  };
}

/** Finds the blog first: the body of a request without a valid key is not read. */
async function receive(call: ApiCall): Promise<Blog> {
  const blog = await call.findBlog();
  if (call.endpoint) await call.body();
  return blog;
}
