import type { SnapshotAd } from '@broadsheet/contract';
import { type AdState, adName, adState } from '@broadsheet/management';
import { type BlogVisit, mayManage, panelPath } from '../access/visit.ts';
import type { Numbers } from '../figures/numbers.ts';
import { Button, Form, FormButton, LinkButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { List, matching, Tabs } from '../layout/search.tsx';
import { actionColumn, type Column, type Columns, numberColumn, RowLink } from '../layout/table.tsx';

/** What each state means. */
export const STATE_HINTS: Readonly<Record<AdState, string>> = {
  running: 'delivered now',
  paused: 'not delivered until it is resumed',
  waiting: 'delivered from its first day',
  ended: 'its last day is over',
};
const STATES = Object.keys(STATE_HINTS);

/** How long before its end the panel points an ad out, in milliseconds. */
const SOON = 7 * 86_400_000;

interface AdsPageProps {
  visit: BlogVisit;
  ads: readonly SnapshotAd[];
}

export function AdsPage({ visit, ads }: AdsPageProps) {
  const newAd = panelPath(visit.blog.id, 'ads', 'new');
  const manages = mayManage(visit);
  return (
    <Page visit={visit} title="Ads" here="ads" lead={manages && <LinkButton kind="first" to={newAd} name="New ad" />}>
      {ads.length > 0 ? (
        <AdList visit={visit} ads={ads} />
      ) : (
        <p class="empty">
          No ads yet. {manages && <a href={newAd}>Create your first ad, with a preview as you type.</a>}
        </p>
      )}
    </Page>
  );
}

function AdList({ visit, ads }: AdsPageProps) {
  const { url, now } = visit;
  const state = url.searchParams.get('state') ?? undefined;
  const inState = (one: string | undefined) => ads.filter((ad) => !one || adState(ad, now) === one);
  const found = matching(url, inState(state), ({ title, content, linkText, linkUrl, format, id }) =>
    [title, content, linkText, linkUrl, format, id].join(' '),
  );
  return (
    <>
      <EndingSoon visit={visit} ads={ads} />
      <ImageProblems visit={visit} ads={ads} />
      <List caption="Ads" url={url} sort="priority" columns={columnsOf(visit)} rows={found}>
        <Tabs
          url={url}
          parameter="state"
          tabs={[undefined, ...STATES].map((one) => [one, `${one ?? 'all'} ${inState(one).length}`])}
        />
      </List>
      {mayManage(visit) && found.length > 0 && (
        <div class="actions">
          <BulkForm visit={visit} action="pause" name="Pause selected" />
          <BulkForm visit={visit} action="resume" name="Resume selected" />
        </div>
      )}
    </>
  );
}

export function EndingSoon({ visit: { blog, now, numbers }, ads }: AdsPageProps) {
  const endsSoon = ({ endsAt }: SnapshotAd) => endsAt !== null && Date.parse(endsAt) <= now + SOON;
  const ending = ads.filter((ad) => endsSoon(ad) && adState(ad, now) === 'running');
  if (ending.length === 0) return null;
  return (
    <div class="notice">
      {ending.map((ad) => (
        <p>
          <a href={panelPath(blog.id, 'ads', ad.id)}>{adName(ad)}</a> ends on {numbers.fullDay(ad.endsAt ?? '')}.
        </p>
      ))}
    </div>
  );
}

/**
 * Which running ads have an image that readers do not see. A script fills it in: the browser loads the images, because
 * a request by the server could reach private addresses.
 */
export function ImageProblems({ visit: { blog, now }, ads }: AdsPageProps) {
  const shown = ads.filter((ad) => ad.imageUrl !== null && adState(ad, now) === 'running');
  if (shown.length === 0) return null;
  return (
    <div class="notice" role="status" data-images hidden>
      {shown.map((ad) => (
        <p data-image={ad.imageUrl} hidden>
          <a href={panelPath(blog.id, 'ads', ad.id)}>{adName(ad)}</a>: <span />
        </p>
      ))}
      <iframe src={panelPath(blog.id, 'ads', 'preview')} title="Images of ads" hidden />
    </div>
  );
}

const back = ({ pathname, search }: URL): string => pathname + search;

/** A button for the ads that are selected in the table. */
function BulkForm({ visit, action, name }: { visit: BlogVisit; action: 'pause' | 'resume'; name: string }) {
  return (
    <Form visit={visit} to={panelPath(visit.blog.id, 'ads', action)} id={action}>
      <input type="hidden" name="back" value={back(visit.url)} />
      <Button kind="small" name={name} />
    </Form>
  );
}

function columnsOf(visit: BlogVisit): Columns<SnapshotAd> {
  const { blog, now, numbers } = visit;
  return [
    {
      key: 'title',
      name: 'Ad',
      words: true,
      by: adName,
      cell: (ad) => (
        <div class="pick">
          <SelectBox visit={visit} ad={ad} />
          <RowLink to={panelPath(blog.id, 'ads', ad.id)} name={adName(ad)} note={ad.format} />
        </div>
      ),
    },
    {
      key: 'state',
      name: 'Status',
      by: (ad) => adState(ad, now),
      cell: (ad) => {
        const state = adState(ad, now);
        return (
          <span class={`state ${state}`} title={STATE_HINTS[state]}>
            {state}
          </span>
        );
      },
    },
    numberColumn({ key: 'priority', name: 'Priority', spare: true }, ({ priority }) => priority, numbers.count),
    dayColumn('startsAt', 'Start', 'any time', numbers),
    dayColumn('endsAt', 'End', 'no end', numbers),
    {
      name: 'Figures',
      spare: true,
      cell: (ad) => <a href={`${panelPath(blog.id)}?ad=${encodeURIComponent(ad.id)}`}>30 days</a>,
    },
    actionColumn(
      visit,
      (ad) => adState(ad, now) !== 'ended' && <ActivityButton visit={visit} ad={ad} about={adName(ad)} />,
    ),
  ];
}

const dayColumn = (key: 'startsAt' | 'endsAt', name: string, none: string, numbers: Numbers): Column<SnapshotAd> => ({
  key,
  name,
  spare: true,
  by: (ad) => ad[key] ?? (key === 'endsAt' ? '9999' : ''),
  cell: ({ [key]: day }) => (day ? numbers.fullDay(day) : none),
});

/** Selects an ad for the form below the table that would change its state. */
function SelectBox({ visit, ad }: { visit: BlogVisit; ad: SnapshotAd }) {
  if (!mayManage(visit)) return null;
  return (
    <input
      type="checkbox"
      name="ad"
      value={ad.id}
      form={ad.active ? 'pause' : 'resume'}
      disabled={adState(ad, visit.now) === 'ended'}
      aria-label={`Select ${adName(ad)}`}
    />
  );
}

/** Pauses or resumes an ad, and returns to the page. */
export function ActivityButton({ visit, ad, about }: { visit: BlogVisit; ad: SnapshotAd; about?: string }) {
  return (
    <FormButton
      visit={visit}
      to={panelPath(visit.blog.id, 'ads', ad.id, ad.active ? 'pause' : 'resume')}
      kind="small"
      name={ad.active ? 'Pause' : 'Resume'}
      about={about}
      fields={{ back: back(visit.url) }}
    />
  );
}
