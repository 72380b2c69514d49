import { LRUCache } from 'lru-cache';
import { turn } from '../turn.ts';
import { type Place, type PostList, type PostLists, TOP } from './post-lists.ts';

/** Finds the place of an offset without counting from the top each time. */
export type FindPlace = (list: PostList, revision: string, offset: number) => Promise<Place>;

/** The sort keys at every {@link STEP}th post of one list, as far as they were needed, for one revision of the blog. */
interface Anchors {
  readonly revision: string;
  readonly keys: string[];
  complete: boolean;
  growing: Promise<void> | undefined;
}

/** Posts between two anchors: what a page has to skip at most. */
const STEP = 100;
/** Steps of one query, between which other work gets its turn. */
const STEPS_AT_ONCE = 80;
const MAX_LISTS = 500;

/**
 * Remembers where every hundredth post of a list is. The first deep page of a revision pays for the way down, all
 * others start close to where they end, so that depth does not matter.
 */
export function createListAnchors(keysBelow: PostLists['keysBelow']): FindPlace {
  const remembered = new LRUCache<string, Anchors>({ max: MAX_LISTS });

  function anchorsOf(list: PostList, revision: string): Anchors {
    const key = JSON.stringify([list.blogId, list.label?.kind, list.label?.id]);
    const known = remembered.get(key);
    if (known && known.revision === revision) return known;
    const fresh = { revision, keys: [TOP], complete: false, growing: undefined };
    remembered.set(key, fresh);
    return fresh;
  }
  async function grow(list: PostList, anchors: Anchors): Promise<void> {
    const keys = await keysBelow(list, { from: anchors.keys.at(-1) ?? TOP, skip: STEP }, STEPS_AT_ONCE);
    anchors.keys.push(...keys);
    anchors.complete = keys.length < STEPS_AT_ONCE;
    await turn();
  }
  return async (list, revision, offset) => {
    if (offset <= STEP) return { from: TOP, skip: offset };
    const anchors = anchorsOf(list, revision);
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
