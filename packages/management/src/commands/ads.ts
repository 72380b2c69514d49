import { AD_FORMATS, defaultsOf, SnapshotAd } from '@broadsheet/contract';
import { adName, ContentClash } from '@broadsheet/store';
import { adState, campaignStates } from '../figures/campaigns.ts';
import { IMAGE_BYTES, readBase64Image } from '../operations/images.ts';
import { OperationError } from '../operations/operation-error.ts';
import { deleteRow, restoreRow } from './bin.ts';
import { type CommandContext, command } from './command.ts';
import { draftRows } from './drafts.ts';
import { AD_FIELDS } from './fields.ts';
import { idOf, KINDS, named, requireItem, titleOf } from './items.ts';
import { readAdDraft } from './read-draft.ts';
import { table } from './text-table.ts';

const ad = idOf('ad');

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
  create: (id, createdAt): SnapshotAd => ({ ...defaultsOf(SnapshotAd), format: AD_FORMATS[0], id, createdAt }),
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

function activityRow(active: boolean) {
  const [action, done] = active ? ['resume', 'resumed'] : ['pause', 'paused'];
  return command({
    effect: 'write',
    touches: ['ads'],
    help: `${action} an ad`,
    scopes: KINDS.ad.scopes,
    args: { ad },
    async run({ store, blog }: CommandContext, { ad: id }) {
      const title = titleOf(await requireItem(store, 'ad', blog, id));
      await store.setAdActive(blog, id, active);
      return { blog, id, title, active };
    },
    log: (changed) => `${done} the ad ${named(changed)}`,
  });
}

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
