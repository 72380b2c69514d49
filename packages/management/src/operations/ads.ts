import { defaultsOf, SnapshotAd, type SnapshotInput } from '@broadsheet/contract';
import { ContentClash, sha256Hex } from '@broadsheet/store';
import type { ManagedStore } from '../remote/verbs.ts';
import { readAdDraft } from './ad-draft.ts';
import type { AdDraft } from './ad-fields.ts';
import { missing, requireBlog } from './blogs.ts';
import { OperationError } from './operation-error.ts';

/** Whether an ad is delivered now: it is running, is paused, has not started, or is over. */
export type AdState = 'running' | 'paused' | 'waiting' | 'ended';

/** The state of an ad at an instant, in milliseconds since the epoch. An ad that is over has ended, paused or not. */
export function adState({ active, startsAt, endsAt }: SnapshotAd, now: number): AdState {
  if (endsAt !== null && Date.parse(endsAt) <= now) return 'ended';
  if (!active) return 'paused';
  return startsAt !== null && Date.parse(startsAt) > now ? 'waiting' : 'running';
}

/** The names of deleted ads: their own while they are in the recycle bin, then the first characters of their ids. */
export async function deletedAdNames(
  store: Pick<ManagedStore, 'listBin'>,
  blog: string,
  now: number,
): Promise<(id: string) => string> {
  const entries = await store.listBin(blog, now);
  const names = new Map(entries.filter(({ kind }) => kind === 'ad').map(({ id, title }) => [id, title]));
  return (id) => names.get(id) || `Deleted ad ${id.slice(0, 8)}`;
}

/** Every ad of a blog, paused ones included, highest priority first. @throws OperationError */
export async function listAds(store: ManagedStore, blog: string): Promise<readonly SnapshotAd[]> {
  const ads = await store.listAllAds(blog);
  if (ads.length === 0) await requireBlog(store, blog);
  return ads;
}

/** Adds an ad. @throws OperationError with every problem of the draft */
export async function addAd(store: ManagedStore, blog: string, draft: AdDraft, now: number): Promise<SnapshotAd> {
  const ad = readAdDraft({ ...defaultsOf(SnapshotAd), format: 'BANNER', id: crypto.randomUUID() }, draft, now);
  if (!(await putAd(store, blog, ad))) await requireBlog(store, blog);
  return ad;
}

/** The version on which an edit is based: it changes with every field of the ad. */
export const adVersion = (ad: SnapshotAd): Promise<string> => sha256Hex(JSON.stringify(ad));

/** The ad that is edited, and the version that the editor has seen; any version by default. */
export interface EditedAd {
  readonly blog: string;
  readonly id: string;
  readonly version?: string | undefined;
}

/**
 * Changes the given fields of an ad; an empty string removes a field.
 *
 * @throws OperationError with the code `CONFLICT` when the ad has another version by now
 */
export async function editAd(
  store: ManagedStore,
  { blog, id, version }: EditedAd,
  changes: AdDraft,
  now: number,
): Promise<{ readonly before: SnapshotAd; readonly after: SnapshotAd }> {
  for (;;) {
    const before = await requireAd(store, blog, id);
    if (version !== undefined && version !== (await adVersion(before))) {
      const message =
        'Somebody else has changed this ad in the meantime, so it was not saved. Save again to replace their version.';
      throw new OperationError(message, 'CONFLICT');
    }
    const after = readAdDraft(before, changes, now);
    // After a concurrent write, the changes are applied again, to its result.
    if (await putAd(store, blog, after, before)) return { before, after };
  }
}

/** @throws OperationError when the campaign of the ad does not exist */
async function putAd(store: ManagedStore, blog: string, ad: SnapshotAd, before?: SnapshotAd): Promise<boolean> {
  try {
    return await store.putAd(blog, ad, before);
  } catch (error) {
    if (!(error instanceof ContentClash)) throw error;
    throw new OperationError(error.clashes.map(({ message, code }) => ({ at: 'campaignId', message, code })));
  }
}

/** Pauses or resumes an ad. @throws OperationError */
export async function setAdActive(store: ManagedStore, blog: string, id: string, active: boolean): Promise<SnapshotAd> {
  const ad = await requireAd(store, blog, id);
  if (!(await store.setAdActive(blog, id, active))) await requireAd(store, blog, id);
  return { ...ad, active };
}

/** A snapshot whose import restores an ad. @throws OperationError */
export async function exportAd(store: ManagedStore, blog: string, id: string): Promise<SnapshotInput> {
  const part = await store.exportAd(blog, id);
  return part ? { blogs: [part] } : missing(store, blog, 'ad', id);
}

/** Moves an ad to the recycle bin of its blog; its figures stay. @throws OperationError */
export async function deleteAd(store: ManagedStore, blog: string, id: string, now: number): Promise<void> {
  if (!(await store.deleteAd(blog, id, now))) await missing(store, blog, 'ad', id);
}

/** The ad with this id. @throws OperationError */
export async function requireAd(store: ManagedStore, blog: string, id: string): Promise<SnapshotAd> {
  const ad = (await listAds(store, blog)).find((candidate) => candidate.id === id);
  return ad ?? missing(store, blog, 'ad', id);
}
