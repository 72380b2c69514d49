import { AD_FORMATS, defaultsOf, id, list, SnapshotAd } from '@broadsheet/contract';
import { adName, ContentClash } from '@broadsheet/store';
import { adState, campaignStates } from '../figures/campaigns.ts';
import { IMAGE_BYTES, readBase64Image } from '../operations/images.ts';
import { notFound, OperationError } from '../operations/operation-error.ts';
import { deleteRow, restoreRow } from './bin.ts';
import { type CommandContext, command, position } from './command.ts';
import { draftRows } from './drafts.ts';
import { AD_FIELDS } from './fields.ts';
import { idOf, KINDS, named, titleOf } from './items.ts';
import { readAdDraft } from './read-draft.ts';
import { table } from './text-table.ts';

const ad = idOf('ad');
/** The maximum number of ads that are paused or resumed together. */
const MOST_ADS = 1000;

const drafts = draftRows({
  kind: 'ad',
  touches: ['ads', 'images'],
  fields: AD_FIELDS,
  examples: {
    add: [
      '--format BANNER --title "Tea" --link https://tea.example',
      '--format POPUP --title "Sale" --ends 2030-12-24 --priority 5',
    ],
    edit: ['--link https://tea.example/spring', '--ends ""'],
  },
  create: (adId, createdAt): SnapshotAd => {
    return { ...defaultsOf(SnapshotAd), format: AD_FORMATS[0], id: adId, createdAt };
  },
  bodyBytes: IMAGE_BYTES,
  read: readAdDraft,
  put: putAd,
});

/** The commands for ads. */
export const ads = {
  'ads.list': command({
    effect: 'read',
    help: 'list the ads of a blog',
    scopes: ['ads', 'stats'],
    args: {},
    async run({ store, blog, now }) {
      const all = await store.listAllAds(blog);
      const states = await campaignStates(store, blog, all, now);
      return all.map((one) => ({ ...one, state: adState(one, now, states.get(one.campaignId)) }));
    },
    text(all, _, blog) {
      const rows = all.map((one) => [one.id, one.format, one.priority, one.state, adName(one)]);
      const none = `${blog} has no ads yet; "broadsheet ads add ${blog} --format BANNER …" adds one.`;
      return table({ AD: 'id', FORMAT: 'text', PRIORITY: 'text', STATE: 'text', NAME: 'text' }, rows, none);
    },
  }),
  'ads.add': drafts.add,
  'ads.edit': drafts.edit,
  'ads.pause': activityRow(false),
  'ads.resume': activityRow(true),
  'ads.delete': deleteRow('ad'),
  'ads.restore': restoreRow('ad'),
};

/** Several ads are paused or resumed together: all of them, or none if one does not exist. */
function activityRow(active: boolean) {
  const [action, done] = active ? ['resume', 'resumed'] : ['pause', 'paused'];
  return command({
    effect: 'write',
    touches: ['ads'],
    help: `${action} one or several ads`,
    scopes: KINDS.ad.scopes,
    args: { ad: position(list(id, { min: 1, max: MOST_ADS }), ad.help, { sample: KINDS.ad.sample }) },
    async run({ store, blog }: CommandContext, { ad: ids }) {
      const byId = new Map((await store.listAllAds(blog)).map((one) => [one.id, one]));
      const found = [...new Set(ids)].map((adId) => byId.get(adId) ?? missingAd(blog, adId, ids));
      const changed = found.filter((one) => one.active !== active);
      for (const one of changed) await store.setAdActive(blog, one.id, active);
      return { blog, active, ads: found.map((one) => ({ id: one.id, title: titleOf(one) })), changed: changed.length };
    },
    text: ({ ads: of, changed }) =>
      changed > 0
        ? `${capitalized(done)} ${namesOf(of)}.`
        : `${capitalized(namesOf(of))} already ${isOrAre(of)} ${done}.`,
    log: ({ ads: of }) => `${done} ${namesOf(of)}`,
  });
}

/** @throws OperationError */
function missingAd(blog: string, adId: string, ids: readonly string[]): never {
  if (ids.length === 1) return notFound(blog, 'ad', adId);
  const message = `There is no ad ${JSON.stringify(adId)} in ${blog}, so none of the ${ids.length} ads was changed. It may have been deleted: select the others again.`;
  throw new OperationError(message, 'CONFLICT');
}

type NamedAd = Parameters<typeof named>[0];
const namesOf = (of: readonly NamedAd[]): string => `the ${of.length === 1 ? 'ad' : 'ads'} ${of.map(named).join(', ')}`;
const isOrAre = ({ length }: readonly unknown[]): string => (length === 1 ? 'is' : 'are');
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Stores an ad, and the image to which it refers by its URL. @throws OperationError when its campaign does not exist */
async function putAd({ store, blog }: CommandContext, ad: SnapshotAd, image: string | undefined): Promise<void> {
  try {
    await store.putAd(blog, ad);
  } catch (error) {
    if (!(error instanceof ContentClash)) throw error;
    throw new OperationError(error.clashes.map(({ message, code }) => ({ at: 'campaignId', message, code })));
  }
  if (image !== undefined) await store.putImage(blog, await readBase64Image(image));
}
