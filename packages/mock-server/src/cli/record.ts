import { AD_FORMATS, LIMITS, type SnapshotAd, type SnapshotBlogInput, type SnapshotInput } from '@broadsheet/contract';
import { type LiveApi, requestLive } from './live-api.ts';

/** The options of a recording. */
export interface RecordOptions extends LiveApi {
  /** Also records the ads, by requesting them: each delivery counts as an impression. */
  readonly ads: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const BATCH = LIMITS.posts.limit.max;

/**
 * Reads a live blog into a snapshot, as far as the API shows it: without drafts, domains, keys, or the priorities and
 * dates of ads.
 *
 * @throws Error when the API refuses the key, or does not respond as the API document states
 */
export async function record({ ads, ...live }: RecordOptions): Promise<SnapshotInput> {
  const { url } = live;
  const send = async <T>(path: string, body?: object): Promise<T> => {
    const response = await requestLive(live, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}/public${path} responded with ${response.status}: ${text.slice(0, 200)}`);
    return JSON.parse(text) as T;
  };
  const read = async (path: string) => (await send<{ readonly data: readonly Json[] }>(path)).data;

  const posts: Json[] = [];
  for (let count: number = BATCH; count === BATCH; ) {
    const next = await read(`/posts?limit=${BATCH}&offset=${posts.length}`);
    count = next.length;
    posts.push(...next);
  }
  const [categories, tags] = [await read('/categories'), await read('/tags')];
  const id = [...posts, ...categories, ...tags][0]?.['blogId'] ?? 'recorded';
  const blog = {
    id,
    name: new URL(url).host,
    categories: categories.map(plain),
    tags: tags.map(plain),
    posts: posts.map(({ categories: labels, tags: words, ...post }) => ({
      ...plain(post),
      categoryIds: (labels as Json[]).map((label) => label['id']),
      tagIds: (words as Json[]).map((tag) => tag['id']),
    })),
    ...(ads && { ads: await recordAds((slots) => send('/ads/formats', { slots })) }),
  };
  // The items that the API sends have the types of a snapshot.
  return { blogs: [blog as unknown as SnapshotBlogInput] };
}

/** An item without the fields that a snapshot does not hold. */
function plain({ blogId: _, _count: __, ...item }: Json): Json {
  return item;
}

type RecordedSlot = { readonly slotId: string; readonly format: (typeof AD_FORMATS)[number] };

/** The ads that a batch of each format delivers, the highest priority first. */
async function recordAds(
  deliver: (slots: readonly RecordedSlot[]) => Promise<readonly Json[]>,
): Promise<readonly SnapshotAd[]> {
  const found: SnapshotAd[] = [];
  for (const format of AD_FORMATS) {
    const slots = Array.from({ length: LIMITS.slots.max }, (_, index) => ({ slotId: `record-${index}`, format }));
    const filled = (await deliver(slots)).filter((result) => result['filled'] === true);
    found.push(
      ...filled.map(({ filled: _, slotId: __, clickToken: ___, ...ad }, index) => {
        return { ...ad, format, priority: filled.length - index } as unknown as SnapshotAd;
      }),
    );
  }
  return found;
}
