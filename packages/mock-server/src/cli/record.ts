import { AD_FORMATS, type SnapshotAd, type SnapshotBlogInput, type SnapshotInput } from '@broadsheet/contract';

/** What to read. */
export interface RecordOptions {
  /** What stands before `/public/...`. */
  readonly url: string;
  readonly apiKey: string;
  /** Also the ads, by asking for them: each delivery counts an impression. */
  readonly ads: boolean;
  readonly fetch?: typeof globalThis.fetch;
}

type Json = Readonly<Record<string, unknown>>;

const BATCH = 100;
/** Slots of a batch: what one request may ask for. */
const SLOTS = 20;

/**
 * Reads a live blog into a snapshot, as far as the API shows it: no drafts, no domains, no key; of ads neither their
 * priority nor their times.
 *
 * @throws Error when the API refuses the key, or answers with something else
 */
export async function record({ url, apiKey, ads, fetch = globalThis.fetch }: RecordOptions): Promise<SnapshotInput> {
  const base = url.replace(/\/$/, '');
  const send = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { 'X-API-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) };
    const init = { headers, redirect: 'manual' as const, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
    const answer = await fetch(`${base}/public${path}`, init).catch((cause: unknown) => {
      throw new Error(`nothing answers at ${url}`, { cause });
    });
    refuseRedirect(url, answer);
    const text = await answer.text();
    if (answer.status === 401) throw new Error(`${url} does not know the key; give that of a blog with --api-key`);
    if (!answer.ok) throw new Error(`${url}/public${path} was answered ${answer.status}: ${text.slice(0, 200)}`);
    return JSON.parse(text) as T;
  };
  const read = async (path: string) => (await send<{ readonly data: readonly Json[] }>(path)).data;

  const posts: Json[] = [];
  for (let count = BATCH; count === BATCH; ) {
    const next = await read(`/posts?limit=${BATCH}&offset=${posts.length}`);
    count = next.length;
    posts.push(...next);
  }
  const [categories, tags] = [await read('/categories'), await read('/tags')];
  const id = [...posts, ...categories, ...tags][0]?.['blogId'] ?? 'recorded';
  const blog = {
    id,
    name: new URL(base).host,
    categories: categories.map(plain),
    tags: tags.map(plain),
    posts: posts.map(({ categories: labels, tags: words, ...post }) => ({
      ...plain(post),
      categoryIds: (labels as Json[]).map((label) => label['id']),
      tagIds: (words as Json[]).map((tag) => tag['id']),
    })),
    ...(ads && { ads: await recordAds((slots) => send('/ads/formats', { slots })) }),
  };
  // The API has made it, so it is a blog.
  return { blogs: [blog as unknown as SnapshotBlogInput] };
}

/** A redirect is not followed, since the key must not go elsewhere. @throws Error with where it leads */
export function refuseRedirect(url: string, { status, type, headers }: Response): void {
  if (type !== 'opaqueredirect' && (status < 300 || status > 399 || status === 304)) return;
  const location = headers.get('location');
  const to = location === null ? 'elsewhere' : `to ${new URL(location, url).href}`;
  throw new Error(`${url} redirects ${to}; the key is not sent there: give the URL of the API itself`);
}

/** What the API adds to an item, and a snapshot does not hold. */
function plain({ blogId: _, _count: __, ...item }: Json): Json {
  return item;
}

type Slot = { readonly slotId: string; readonly format: (typeof AD_FORMATS)[number] };

/** Every ad that a batch of twenty slots of its format shows, the highest priority first. */
async function recordAds(
  deliver: (slots: readonly Slot[]) => Promise<readonly Json[]>,
): Promise<readonly SnapshotAd[]> {
  const found: SnapshotAd[] = [];
  for (const format of AD_FORMATS) {
    const slots = Array.from({ length: SLOTS }, (_, index) => ({ slotId: `record-${index}`, format }));
    const filled = (await deliver(slots)).filter((result) => result['filled'] === true);
    found.push(
      ...filled.map(({ filled: _, slotId: __, clickToken: ___, ...ad }, index) => {
        return { ...ad, format, priority: filled.length - index } as unknown as SnapshotAd;
      }),
    );
  }
  return found;
}
