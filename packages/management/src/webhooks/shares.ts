import type { DueMessage, Room } from '@broadsheet/store';

/** The maximum number of concurrent requests: to one webhook, for one blog, and in total. */
const PER_HOOK = 4;
const PER_BLOG = 8;
const IN_TOTAL = 64;
/** The limit in total for the first request of each blog, so that it never waits for the receivers of other blogs. */
const WITH_FIRST = 512;

/** The requests that are being sent, and how many may be added. */
export class Shares implements Room {
  readonly #running = new Map<string, number>();

  hasRoom({ blogId, hookId }: Pick<DueMessage, 'blogId' | 'hookId'>): boolean {
    const ofBlog = this.#count(blogId);
    const total = this.#count();
    return (
      ofBlog < PER_BLOG && this.#count(blogId, hookId) < PER_HOOK && total < (ofBlog === 0 ? WITH_FIRST : IN_TOTAL)
    );
  }

  isSending({ blogId, hookId, subject }: Pick<DueMessage, 'blogId' | 'hookId' | 'subject'>): boolean {
    return this.#count(blogId, hookId, subject) > 0;
  }

  /** Counts a request that begins, or one that has ended. */
  add({ blogId, hookId, subject }: DueMessage, change: 1 | -1): void {
    const path = [blogId, hookId, subject];
    for (let length = 0; length <= path.length; length += 1) {
      const key = JSON.stringify(path.slice(0, length));
      const count = (this.#running.get(key) ?? 0) + change;
      if (count > 0) this.#running.set(key, count);
      else this.#running.delete(key);
    }
  }

  #count(...path: readonly string[]): number {
    return this.#running.get(JSON.stringify(path)) ?? 0;
  }
}
