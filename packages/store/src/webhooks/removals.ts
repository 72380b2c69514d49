import { join } from 'sql-template-tag';
import { chunks } from '../chunks.ts';
import type { Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { type Change, openOutbox } from './outbox.ts';

const ROWS = 500;

/**
 * The posts that a write hides from readers. They are reported after its last post: another post may have their slug
 * by then, as after a file was renamed, and a receiver must not remove the page of that post.
 */
export class Removals {
  readonly #changes: Change[] = [];
  readonly #replaced = new Set<string>();

  add(changes: readonly Change[]): void {
    this.#changes.push(...changes);
  }

  /** Notes posts whose tags are in the event of the post that has their slug. */
  replaced(ids: Iterable<string>): void {
    for (const id of ids) this.#replaced.add(id);
  }

  /** Reports the posts whose slugs are free, and those whose slugs are not as updates of the posts that have them. */
  async report(db: Db, blogId: string): Promise<void> {
    for (const some of chunks(this.#changes, ROWS)) {
      const slugs = some.map(({ slug }) => slug ?? '');
      const heirs = await db<Pick<Tables['posts'], 'id' | 'slug'>>`select id, slug from posts
        where blog_id = ${blogId} and status = 'PUBLISHED' and slug in (${join(slugs)})`;
      const heirOf = new Map(heirs.map(({ id, slug }) => [slug, id]));
      const reported = some.flatMap((change): Change[] => {
        const heir = heirOf.get(change.slug ?? '');
        if (heir === undefined) return [change];
        return this.#replaced.has(change.id ?? '') ? [] : [{ ...change, type: 'post.updated', id: heir }];
      });
      await (await openOutbox(db, blogId))?.(reported);
    }
  }
}
