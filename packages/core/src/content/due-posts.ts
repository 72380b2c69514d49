import type { PostStatus } from '@broadsheet/contract';
import type { Clock } from '../ports.ts';
import { type Awaitable, type Blog, isPromise, type Store, StoreUnavailable } from '../store.ts';

/** The fields of a post that decide when it is published. */
interface Publication {
  readonly status: PostStatus;
  readonly publishedAt: string | null;
  readonly scheduledAt: string | null;
}

/** When a post publishes itself, in milliseconds since the epoch; `undefined` for one that does not. */
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

/** A scheduled post once its time has come: it is published as of the instant it was scheduled for. */
export function publishedOnTime<P extends Publication>(post: P): P {
  return { ...post, status: 'PUBLISHED', publishedAt: post.scheduledAt };
}

/** Milliseconds between two attempts to publish where writing is not possible for now. */
const RETRY = 250;

/**
 * Finds the blogs of keys. A blog with posts that are due is given as it is after they were published: so the first
 * request at or after that instant publishes them, whatever its endpoint, and no timer is needed. While the store can
 * be read and not written, the blog is given as it was, and later requests try again without waiting for the result.
 */
export function createBlogFinder(store: Store, clock: Clock): Store['findBlog'] {
  /** Blogs whose posts are being published: requests that come meanwhile wait for the same write. */
  const publishing = new Map<string, Promise<void>>();
  /** When the last attempt for a blog began, for those whose last attempt failed. */
  const failed = new Map<string, number>();

  const publish = (blogId: string, now: number): Awaitable<void> => {
    const running = publishing.get(blogId);
    if (running) return running;
    const published = store.publishDuePosts(blogId, now);
    if (!isPromise(published)) return;
    const done = published
      .then(
        () => void failed.delete(blogId),
        (error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error;
          failed.set(blogId, now);
        },
      )
      .finally(() => publishing.delete(blogId));
    publishing.set(blogId, done);
    return done;
  };
  const upToDate = (apiKey: string, blog: Blog | undefined): Awaitable<Blog | undefined> => {
    if (blog?.nextDueAt === undefined) return blog;
    const now = clock.now();
    if (now < blog.nextDueAt) return blog;
    const last = failed.get(blog.id);
    if (last !== undefined) {
      if (now >= last + RETRY) Promise.resolve(publish(blog.id, now)).catch(() => failed.delete(blog.id));
      return blog;
    }
    const published = publish(blog.id, now);
    return isPromise(published) ? published.then(() => store.findBlog(apiKey)) : store.findBlog(apiKey);
  };
  return (apiKey) => {
    const found = store.findBlog(apiKey);
    return isPromise(found) ? found.then((blog) => upToDate(apiKey, blog)) : upToDate(apiKey, found);
  };
}
