import { AD_FORMATS, defaultsOf, optional, SnapshotAd, text } from '@broadsheet/contract';
import { adName, ContentClash } from '@broadsheet/store';
import { campaignStates } from '../figures/campaigns.ts';
import { IMAGE_BYTES, readBase64Image } from '../operations/images.ts';
import { named, notFound, requireItem, titleOf } from '../operations/items.ts';
import { OperationError } from '../operations/operation-error.ts';
import { adState } from '../operations/states.ts';
import type { CommandStore } from '../server-store.ts';
import { deleteRow, restoreRow } from './bin.ts';
import { type Arguments, type Command, type CommandContext, command, internal } from './command.ts';
import { draftRows } from './drafts.ts';
import { AD_FIELDS } from './fields.ts';
import { idOf, KINDS, textsIn } from './items.ts';
import { readAdDraft } from './read-draft.ts';
import { table } from './text-table.ts';

const ad = idOf('ad');

const drafts = draftRows({
  kind: 'ad',
  fields: AD_FIELDS,
  examples: {
    add: [
      '--format BANNER --title "Tea" --link https://tea.example',
      '--format POPUP --title "Sale" --ends 2030-12-24 --priority 5',
    ],
    edit: ['--link https://tea.example/spring', '--ends ""'],
  },
  create: (id, createdAt): SnapshotAd => ({ ...defaultsOf(SnapshotAd), format: AD_FORMATS[0], id, createdAt }),
  read: readAdDraft,
  put: putAd,
});

/** What operators do with ads. */
export const ads = {
  'ads.list': command({
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
      return table(['AD', 'FORMAT', 'PRIORITY', 'STATE', 'NAME'], rows, none);
    },
  }),
  'ads.add': withImage(drafts.add),
  'ads.edit': withImage(drafts.edit),
  'ads.pause': activityRow(false),
  'ads.resume': activityRow(true),
  'ads.delete': deleteRow('ad'),
  'ads.restore': restoreRow('ad'),
};

/** The command also stores an image, to which the ad refers by its URL. */
function withImage<A extends Arguments, Result>(row: Command<A, Result>) {
  return command({
    ...row,
    bodyBytes: IMAGE_BYTES,
    args: { ...row.args, image: internal(optional(text({ max: IMAGE_BYTES }))) },
    async run(context: CommandContext, args): Promise<Result> {
      const result = await row.run(context, args);
      const { image } = textsIn(args);
      if (image !== undefined) await context.store.putImage(context.blog, await readBase64Image(image));
      return result;
    },
  });
}

function activityRow(active: boolean) {
  const [action, done] = active ? ['resume', 'Resumed'] : ['pause', 'Paused'];
  return command({
    help: `${action} an ad`,
    scopes: KINDS.ad.scopes,
    args: { ad },
    async run({ store, blog }: CommandContext, { ad: id }) {
      const title = titleOf(await requireItem(store, 'ad', blog, id));
      if (!(await store.setAdActive(blog, id, active))) notFound(blog, 'ad', id);
      return { blog, id, title, active };
    },
    text: ({ id }) => `${done} ${id}.`,
    log: (changed) => `${done.toLowerCase()} the ad ${named(changed)}`,
  });
}

/** @throws OperationError when the campaign of the ad does not exist */
async function putAd(store: CommandStore, blog: string, ad: SnapshotAd, before?: SnapshotAd): Promise<boolean> {
  try {
    return await store.putAd(blog, ad, before);
  } catch (error) {
    if (!(error instanceof ContentClash)) throw error;
    throw new OperationError(error.clashes.map(({ message, code }) => ({ at: 'campaignId', message, code })));
  }
}
