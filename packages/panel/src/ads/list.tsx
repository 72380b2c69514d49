import type { SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import {
  type AdState,
  adState,
  type CampaignState,
  campaignStates,
  firstRecentDay,
  OperationError,
  RECENT_DAYS,
} from '@broadsheet/management';
import { adName } from '@broadsheet/store';
import { type CommandForm, commandForms } from '../access/command-forms.ts';
import { send } from '../access/send.tsx';
import { textsOf } from '../access/sent.ts';
import { blogPath, currentNumbers, currentUrl, currentVisit, mayManage, type Routes } from '../access/visit.ts';
import { Button, Form, FormButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { List, matching, Tabs } from '../layout/search.tsx';
import { actionColumn, type Columns, dayColumn, numberColumn, RowLink, State } from '../layout/table.tsx';

export const adListRoutes: Routes = (app, options) => {
  const { store } = options;
  app.get('/panel/:blog/ads', async (c) => {
    const { blog, now } = c.get('blogVisit');
    const ads = await store.listAllAds(blog.id);
    const recent = await store.figures(blog.id, { by: ['ad'], from: firstRecentDay(now, blog.timeZone) });
    const page = {
      ads,
      states: await campaignStates(store, blog.id, ads, now),
      campaigns: await store.listCampaigns(blog.id),
      impressions: new Map(recent.map(({ ad, valid }) => [ad, valid])),
    };
    return send(c, <AdsPage {...page} />);
  });
  commandForms(app, options, 'ads', { 'ads.pause': activityForm('paused'), 'ads.resume': activityForm('resumed') });
};

const activityForm = (done: string): CommandForm => ({
  args({ form, typed }) {
    if (textsOf(form, 'ad').length > 0) return typed;
    throw new OperationError('No ad is selected. Select at least one.');
  },
  shows: { done },
});

const STATE_HINTS: Readonly<Record<AdState, string>> = {
  running: 'delivered now',
  paused: 'not delivered until it is resumed',
  waiting: 'delivered from its first day',
  ended: 'its last day is over',
  reached: 'its campaign has reached its goal',
  capped: 'its campaign has reached its daily cap',
};
const STATES = Object.keys(STATE_HINTS);

/** The time before its end from which the panel points out an ad, in milliseconds. */
const SOON = 7 * 86_400_000;

interface AdsProps {
  ads: readonly SnapshotAd[];
  /** The states of the campaigns, by id. Without them, the campaign of an ad counts as running. */
  states?: States;
}

export type States = ReadonlyMap<string | undefined, CampaignState>;

/** The state of an ad, and what it means. */
export function stateOf(
  ad: SnapshotAd,
  states: States = new Map(),
): { readonly state: AdState; readonly hint: string } {
  const { now } = currentVisit();
  const state = adState(ad, now, states.get(ad.campaignId));
  const isOwn = state === adState(ad, now) || state === 'reached' || state === 'capped';
  return { state, hint: isOwn ? STATE_HINTS[state] : `because its campaign is ${state}` };
}
const isOver = (ad: SnapshotAd): boolean => adState(ad, currentVisit().now) === 'ended';
const pathOf = ({ id }: SnapshotAd): string => blogPath('ads', id);
/** The page to which a button of an ad returns. */
const back = (): string => currentUrl().pathname + currentUrl().search;

interface AdsPageProps extends Required<AdsProps> {
  campaigns: readonly SnapshotCampaign[];
  /** The valid impressions of the last days, by ad. */
  impressions: ReadonlyMap<string, number>;
}

function AdsPage({ ads, states, campaigns, impressions }: AdsPageProps) {
  const newAd = blogPath('ads.add');
  const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const byName = ads.toSorted((one, other) => adName(one).localeCompare(adName(other)));
  const rows = byName.map((ad): AdRow => {
    const { name: campaign = '', sponsor = '' } = byId.get(ad.campaignId ?? '') ?? {};
    return { ad, sponsor, campaign, impressions: impressions.get(ad.id) ?? 0 };
  });
  // Ads that were imported may have no creation time.
  const isDated = ads.some(({ createdAt }) => createdAt);
  const state = currentUrl().searchParams.get('state') ?? undefined;
  const inState = (one: string | undefined) => rows.filter(({ ad }) => !one || stateOf(ad, states).state === one);
  const tabs = [undefined, ...STATES].map((one) => [one, `${one ?? 'all'} ${inState(one).length}`] as const);
  const found = matching(inState(state), ({ ad, sponsor, campaign }) =>
    [ad.name, ad.title, ad.content, ad.linkText, ad.linkUrl, ad.format, ad.id, sponsor, campaign].join(' '),
  );
  const none = ads.length === 0 && (
    <>No ads yet. {mayManage() && <a href={newAd}>Create your first ad, with a preview as you type.</a>}</>
  );
  const list = { caption: 'Ads', none, sort: isDated ? 'created' : 'ad', columns: columnsOf(states, isDated) };
  return (
    <Page title="Ads" here="ads" lead={mayManage() && <Button kind="first" to={newAd} name="New ad" />}>
      <EndingSoon ads={ads} states={states} />
      <ImageProblems ads={ads} states={states} />
      <List {...list} rows={found}>
        <Tabs parameter="state" tabs={tabs} />
      </List>
      {mayManage() && found.length > 0 && (
        <div class="actions">
          <BulkForm action="pause" name="Pause selected" />
          <BulkForm action="resume" name="Resume selected" />
        </div>
      )}
    </Page>
  );
}

export function EndingSoon({ ads, states }: AdsProps) {
  const [numbers, { now }] = [currentNumbers(), currentVisit()];
  const endsSoon = ({ endsAt }: SnapshotAd) => endsAt !== null && Date.parse(endsAt) <= now + SOON;
  const ending = ads.filter((ad) => endsSoon(ad) && stateOf(ad, states).state === 'running');
  if (ending.length === 0) return null;
  return (
    <div class="notice">
      {ending.map((ad) => (
        <p>
          <a href={pathOf(ad)}>{adName(ad)}</a> ends on {numbers.fullDay(ad.endsAt ?? '')}.
        </p>
      ))}
    </div>
  );
}

/**
 * The running ads whose image readers do not see. A script fills in the list: the browser loads the images, because a
 * request by the server could reach private addresses.
 */
export function ImageProblems({ ads, states }: AdsProps) {
  const shown = ads.filter((ad) => ad.imageUrl !== null && stateOf(ad, states).state === 'running');
  if (shown.length === 0) return null;
  return (
    <div class="notice warn" role="status" data-images hidden>
      {shown.map((ad) => (
        <p data-image={ad.imageUrl} hidden>
          <a href={pathOf(ad)}>{adName(ad)}</a>: <span />
        </p>
      ))}
      <iframe src={blogPath('ads', 'preview')} title="Images of ads" hidden />
    </div>
  );
}

const BulkForm = ({ action, name }: { action: 'pause' | 'resume'; name: string }) => (
  <Form to={`ads.${action}`} id={action} fields={{ back: back() }}>
    <Button kind="small" name={name} />
  </Form>
);

interface AdRow {
  readonly ad: SnapshotAd;
  readonly sponsor: string;
  readonly campaign: string;
  readonly impressions: number;
}

function columnsOf(states: States, isDated: boolean): Columns<AdRow> {
  return [
    {
      name: 'Ad',
      wraps: true,
      by: ({ ad }) => adName(ad),
      cell: ({ ad }) => (
        <div class="pick">
          {mayManage() && <SelectBox ad={ad} />}
          <Thumbnail ad={ad} />
          <RowLink to={pathOf(ad)} name={adName(ad)} note={ad.format} />
        </div>
      ),
    },
    {
      name: 'Sponsor',
      wraps: true,
      spare: true,
      by: ({ sponsor, campaign }) => `${sponsor}\n${campaign}`,
      cell: ({ ad: { campaignId = '' }, sponsor, campaign }) =>
        sponsor && <RowLink to={blogPath('campaigns', campaignId)} name={sponsor} note={campaign} />,
    },
    {
      name: 'Status',
      by: ({ ad }) => stateOf(ad, states).state,
      cell({ ad }) {
        const { state, hint } = stateOf(ad, states);
        return <State is={state} title={hint} />;
      },
    },
    {
      name: `Impressions, ${RECENT_DAYS} days`,
      key: 'impressions',
      numeric: true,
      spare: true,
      by: ({ impressions }) => impressions,
      cell: ({ ad, impressions }) => (
        <a href={`${blogPath()}?ad=${encodeURIComponent(ad.id)}`}>{currentNumbers().count(impressions)}</a>
      ),
    },
    numberColumn('Priority', ({ ad }) => ad.priority, { spare: true }),
    dayColumn('Start', ({ ad }) => ad.startsAt, 'any time'),
    dayColumn('End', ({ ad }) => ad.endsAt, 'no end', '9999'),
    isDated && { ...dayColumn<AdRow>('Created', ({ ad }) => ad.createdAt, '–'), descending: true },
    actionColumn(({ ad }) => !isOver(ad) && <ActivityButton ad={ad} about={adName(ad)} />),
  ];
}

/** The image of an ad, if this server stores it: pages of the panel load nothing from other hosts. */
function Thumbnail({ ad: { imageUrl } }: { ad: SnapshotAd }) {
  const isOwn = imageUrl !== null && URL.canParse(imageUrl) && new URL(imageUrl).origin === currentVisit().origin;
  return <span class="thumbnail">{isOwn && <img src={imageUrl} alt="" loading="lazy" />}</span>;
}

/** Selects an ad for the form below the table that would change its state. */
const SelectBox = ({ ad }: { ad: SnapshotAd }) => (
  <input
    type="checkbox"
    name="ad"
    value={ad.id}
    form={ad.active ? 'pause' : 'resume'}
    disabled={isOver(ad)}
    aria-label={`Select ${adName(ad)}`}
  />
);

export const ActivityButton = ({ ad, about }: { ad: SnapshotAd; about?: string }) => (
  <FormButton
    to={ad.active ? 'ads.pause' : 'ads.resume'}
    kind="small"
    name={ad.active ? 'Pause' : 'Resume'}
    about={about}
    fields={{ ad: ad.id, back: back() }}
  />
);
