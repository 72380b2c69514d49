import type { PostStatus } from '@broadsheet/contract';
import type { Clock } from '../ports.ts';
import { type Blog, isOutage, type Store } from '../store.ts';

/** The fields of a post that decide when it is published. */
interface Publication {
  readonly status: PostStatus;
  readonly publishedAt: string | null;
  readonly scheduledAt: string | null;
  readonly updatedAt?: string | undefined;
}

/** When a post is published automatically, in milliseconds since the epoch; `undefined` if it is not scheduled. */
export function dueTime({ status, scheduledAt }: Publication): number | undefined {
  return status === 'SCHEDULED' && scheduledAt !== null ? Date.parse(scheduledAt) : undefined;
}

/** The earliest {@link dueTime} of posts. */
export function nextDueTime(posts: Iterable<Publication>): number | undefined {
  let next: number | undefined;
  for (const post of posts) {
    const due = dueTime(post);
    if (due !== undefined && (next === undefined || due < next)) next = due;
  }
  return next;
}

/** A scheduled post once it is published: `scheduledAt` becomes its date, and usually the time of its last change. */
export function publishedOnTime<P extends Publication>(post: P): P {
  const { scheduledAt, updatedAt = '' } = post;
  const isLater = scheduledAt !== null && scheduledAt > updatedAt;
  return { ...post, status: 'PUBLISHED', publishedAt: scheduledAt, ...(isLater && { updatedAt: scheduledAt }) };
}

/** Milliseconds between two attempts to publish while the store cannot be written. */
const RETRY = 250;

/**
 * Creates the function that publishes the due posts of a blog, and returns the blog as it is then. The first request to
 * any endpoint at or after that time publishes them, so no timer is needed. While the store can be read but not written,
 * the blog is returned unchanged, and later requests try again without waiting for the result.
 */
export function createDuePublisher(store: Pick<Store, 'findBlog' | 'publishDuePosts'>, clock: Clock) {
  /** Blogs whose posts are being published: requests that arrive in the meantime wait for the same write. */
  const publishing = new Map<string, Promise<void>>();
  /** For blogs whose last attempt failed: what was due, and when the attempt began. */
  const failed = new Map<string, { readonly due: number; readonly at: number }>();

  const publish = async (blogId: string, due: number, now: number): Promise<void> => {
    try {
      await store.publishDuePosts(blogId, now);
      failed.delete(blogId);
    } catch (error) {
      // It may be repeated: posts that were published are no longer due.
      if (!isOutage(error)) throw error;
      failed.set(blogId, { due, at: now });
    }
  };
  const publishOnce = (blogId: string, due: number, now: number): Promise<void> => {
    const running = publishing.get(blogId);
    if (running) return running;
    const published = publish(blogId, due, now).finally(() => publishing.delete(blogId));
    publishing.set(blogId, published);
    return published;
  };

  return async (apiKey: string, blog: Blog): Promise<Blog | undefined> => {
    const { id, nextDueAt: due } = blog;
    const now = clock.now();
    if (due === undefined || now < due) return blog;
    const last = failed.get(id);
    // Another process may have published the posts for which this one failed. Posts that are due later have not failed
    // yet.
    if (last?.due === due) {
      if (now >= last.at + RETRY) publishOnce(id, due, now).catch(() => failed.delete(id));
      return blog;
    }
    await publishOnce(id, due, now);
    return store.findBlog(apiKey);
  };
}
