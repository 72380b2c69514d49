import { type Deleted, lostBy, named, problemsOfLeft, type RestoredTogether } from '@broadsheet/management';
import type { BinKey, ListedBinEntry } from '@broadsheet/store';
import { type CommandForm, commandForms } from '../access/command-forms.ts';
import { send } from '../access/send.tsx';
import { currentNumbers, type Routes } from '../access/visit.ts';
import { FormButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { currentRange, Pages } from '../layout/search.tsx';
import { actionColumn, type Columns, Moment, Table } from '../layout/table.tsx';

const deleting: CommandForm = { shows: { done: 'binned' } };
const restoring: CommandForm = {
  shows: (result: Deleted | RestoredTogether) =>
    'left' in result && result.left.length > 0 ? { problems: problemsOfLeft(result) } : { done: 'restored' },
};

/** The recycle bin of a blog: posts, ads and campaigns that were deleted in the last 30 days. */
export const binRoutes: Routes = (app, options) => {
  app.get('/panel/:blog/bin', async (c) => {
    const { blog, now, url } = c.get('blogVisit');
    return send(c, <BinPage {...(await options.store.listBin(blog.id, now, currentRange(url.searchParams)))} />);
  });
  commandForms(app, options, 'bin', {
    'posts.delete': deleting,
    'posts.restore': restoring,
    'ads.delete': deleting,
    'ads.restore': restoring,
    'campaigns.delete': deleting,
    'campaigns.restore': restoring,
  });
};

const PROBLEM_TEXT = { intro: 'Restoring had', outcome: 'These items stay in the recycle bin.' };

const CONSEQUENCES = {
  ad: 'is no longer delivered. Its figures stay, and',
  campaign: 'and its ads are no longer delivered. Their figures stay, and',
  post: 'is no longer published, and its URL returns 404. But',
} as const;

export const DeleteButton = ({ kind, item }: { kind: BinKey['kind']; item: Parameters<typeof named>[0] }) => (
  <FormButton
    to={`${kind}s.delete`}
    fields={{ [kind]: item.id }}
    kind="small danger"
    name={`Delete ${kind}`}
    confirm={`Delete this ${kind}?`}
    action={
      <>
        Delete <bdi>{named(item)}</bdi>
      </>
    }
  >
    <p>
      The {kind} <bdi>{named(item)}</bdi> {CONSEQUENCES[kind]} you can restore it from the recycle bin for 30 days.
    </p>
    {lostBy(kind) && <p class="warn">This cannot be undone: {lostBy(kind)}.</p>}
  </FormButton>
);

function BinPage({ items, total }: { items: readonly ListedBinEntry[]; total: number }) {
  // The button that restores a whole deletion is beside its first item on the page.
  const groups = Map.groupBy(items, ({ kind, deletedAt }) => `${kind} ${deletedAt}`);
  const first = new Set([...groups.values()].map(([entry]) => entry));
  const columns: Columns<ListedBinEntry> = [
    { name: 'Title', wraps: true, cell: ({ title, id }) => title || id },
    { name: 'Kind', cell: ({ kind }) => kind },
    { name: 'Deleted', cell: ({ deletedAt }) => <Moment at={isoTime(deletedAt)} /> },
    actionColumn((entry) => <RestoreButtons entry={entry} withAll={entry.together > 1 && first.has(entry)} />),
  ];
  return (
    <Page title="Recycle bin" here="bin" problemText={PROBLEM_TEXT}>
      <Table caption="Recycle bin" columns={columns} rows={items} empty={total === 0 && EMPTY} />
      <Pages total={total} />
    </Page>
  );
}

const EMPTY = 'The recycle bin is empty. Deleted posts, ads and campaigns stay here for 30 days.';

/** Restores an item, or all items of its kind that were deleted at once, such as the posts that an import removed. */
function RestoreButtons({ entry, withAll }: { entry: ListedBinEntry; withAll: boolean }) {
  const { kind, id, title, together } = entry;
  const deletedAt = isoTime(entry.deletedAt);
  const button = { to: `${kind}s.restore`, kind: 'small' } as const;
  const all = `Restore all ${currentNumbers().count(together)} ${kind}s`;
  return (
    <>
      <FormButton {...button} fields={{ [kind]: id, deletedAt }} name="Restore" about={title || id} />
      {withAll && <FormButton {...button} fields={{ deletedAt }} name={all} />}
    </>
  );
}

const isoTime = (time: number): string => new Date(time).toISOString();
