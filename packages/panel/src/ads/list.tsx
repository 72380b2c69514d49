/** @jsxImportSource hono/jsx */
import type { SnapshotAd } from '@broadsheet/contract';
import { adState } from '@broadsheet/management';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { numbersOf } from '../figures/numbers.ts';
import { withQuery } from '../layout/address.ts';
import { Form } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { SearchBar, Tabs } from '../layout/search.tsx';
import { type Column, Table } from '../layout/table.tsx';

const STATES = ['running', 'paused', 'waiting', 'ended'] as const;

/** What each state means, said where it is shown. */
export const STATE_HINTS = {
  running: 'delivered now',
  paused: 'not delivered until it is resumed',
  waiting: 'its first day is yet to come',
  ended: 'its last day is over',
} as const;

export function AdsPage({ visit, ads }: { visit: BlogVisit; ads: readonly SnapshotAd[] }) {
  const { url, blog, now } = visit;
  const search = (url.searchParams.get('q') ?? '').trim().toLowerCase();
  const state = url.searchParams.get('state');
  const found = ads.filter(
    (ad) =>
      (!state || adState(ad, now) === state) &&
      [ad.title, ad.content, ad.linkText, ad.linkUrl, ad.format, ad.id].join(' ').toLowerCase().includes(search),
  );
  const columns = columnsOf(visit);
  return (
    <Page
      visit={visit}
      title="Ads"
      here="ads"
      lead={
        mayManage(visit) && (
          <a class="button first" href={panelPath(blog.id, 'ads', 'new')}>
            New ad
          </a>
        )
      }
    >
      {ads.length === 0 ? (
        <p class="empty">
          There is no ad yet.{' '}
          {mayManage(visit) && (
            <a href={panelPath(blog.id, 'ads', 'new')}>Make the first: you see it as you write it.</a>
          )}
        </p>
      ) : (
        <>
          <SearchBar url={url} label="Search ads" />
          <Tabs
            label="State"
            tabs={[undefined, ...STATES].map((one) => ({
              name: one ?? 'all',
              count: ads.filter((ad) => one === undefined || adState(ad, now) === one).length,
              href: withQuery(url, { state: one }),
              current: (state ?? undefined) === one,
            }))}
          />
          {found.length === 0 ? (
            <p class="empty">
              No ad is like that. <a href={url.pathname}>Show all</a>
            </p>
          ) : (
            <Table caption="Ads" url={url} sort="priority" columns={columns} rows={found} />
          )}
        </>
      )}
    </Page>
  );
}

function columnsOf(visit: BlogVisit): Column<SnapshotAd>[] {
  const { blog, now, url } = visit;
  const numbers = numbersOf(visit.locale);
  const path = (ad: SnapshotAd, ...rest: string[]) => panelPath(blog.id, 'ads', ad.id, ...rest);
  return [
    {
      key: 'title',
      name: 'Ad',
      by: (ad) => ad.title ?? ad.content ?? ad.id,
      cell: (ad) => (
        <a class="row" href={path(ad)}>
          {ad.title ?? ad.content ?? 'A picture alone'} <small>{ad.format}</small>
        </a>
      ),
    },
    {
      key: 'state',
      name: 'State',
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
    {
      key: 'priority',
      name: 'Priority',
      numeric: true,
      spare: true,
      by: (ad) => ad.priority,
      cell: (ad) => numbers.count(ad.priority),
    },
    {
      key: 'starts',
      name: 'From',
      spare: true,
      by: (ad) => ad.startsAt ?? '',
      cell: (ad) => (ad.startsAt ? numbers.fullDay(ad.startsAt) : 'any day'),
    },
    {
      key: 'ends',
      name: 'To',
      spare: true,
      by: (ad) => ad.endsAt ?? '9999',
      cell: (ad) => (ad.endsAt ? numbers.fullDay(ad.endsAt) : 'no end'),
    },
    {
      key: 'figures',
      name: 'Figures',
      spare: true,
      cell: (ad) => <a href={`${panelPath(blog.id)}?ad=${encodeURIComponent(ad.id)}`}>30 days</a>,
    },
    ...(mayManage(visit)
      ? [
          {
            key: 'change',
            name: 'Change',
            numeric: true,
            cell: (ad: SnapshotAd) => (
              <div class="row-actions">
                {adState(ad, now) !== 'ended' && (
                  <Form visit={visit} to={path(ad, ad.active ? 'pause' : 'resume')}>
                    <input type="hidden" name="back" value={url.pathname + url.search} />
                    <button class="button small" type="submit">
                      {ad.active ? 'Pause' : 'Resume'}
                      <span class="unseen"> {ad.title ?? ad.id}</span>
                    </button>
                  </Form>
                )}
              </div>
            ),
          },
        ]
      : []),
  ];
}
