import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Database } from './database.ts';
import { type Place, type PostList, type PostLists, TOP } from './post-lists.ts';
import { prepareRead } from './prepared.ts';

/** Finds the place of an offset without counting from the top each time. */
export type FindPlace = (list: PostList, offset: number) => Promise<Place>;

/** The sort keys at every {@link STEP}th post of one list, as far as anybody has asked, for one revision of the blog. */
interface Anchors {
  readonly revision: string;
  readonly keys: string[];
  complete: boolean;
  growing: Promise<void> | undefined;
}

/** Posts between two anchors: what a page has to skip at most. */
const STEP = 1000;
const LISTS_KEPT = 500;
/** Steps between which other work gets its turn. */
const STEPS_AT_ONCE = 8;

/**
 * Remembers where every thousandth post of a list is. The first deep page of a revision pays for the way down, all
 * others start close to where they end, so that depth does not matter.
 */
export function createListAnchors({ reader: db, ready }: Database, keyAt: PostLists['keyAt']): FindPlace {
  const kept = new LRUCache<string, Anchors>({ max: LISTS_KEPT });
  const revisionOf = prepareRead<{ blogId: string }, { revision: string }>(ready, (arg) =>
    db.selectFrom('blogs').select('revision').where('blog_id', '=', arg('blogId')),
  );

  async function anchorsOf(list: PostList): Promise<Anchors> {
    const [blog] = await revisionOf(list);
    const revision = blog?.revision ?? '';
    const key = JSON.stringify([list.blogId, list.label?.kind, list.label?.id]);
    const known = kept.get(key);
    if (known?.revision === revision) return known;
    const fresh = { revision, keys: [TOP], complete: false, growing: undefined };
    kept.set(key, fresh);
    return fresh;
  }
  async function grow(list: PostList, anchors: Anchors): Promise<void> {
    for (let step = 0; step < STEPS_AT_ONCE; step += 1) {
      const key = await keyAt(list, { from: anchors.keys.at(-1) ?? TOP, skip: STEP });
      if (key === undefined) {
        anchors.complete = true;
        return;
      }
      anchors.keys.push(key);
    }
    await turn();
  }
  return async (list, offset) => {
    if (offset <= STEP) return { from: TOP, skip: offset };
    const anchors = await anchorsOf(list);
    const wanted = Math.floor(offset / STEP);
    while (!anchors.complete && anchors.keys.length <= wanted) {
      anchors.growing ??= grow(list, anchors).finally(() => {
        anchors.growing = undefined;
      });
      await anchors.growing;
    }
    const index = Math.min(wanted, anchors.keys.length - 1);
    return { from: anchors.keys[index] ?? TOP, skip: offset - index * STEP };
  };
}
