import { COMMAND_LINE, COMMANDS, runCommand, type Total } from '@broadsheet/management';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { seedsOf } from '../../../tools/testing/seeds.ts';
import { MANAGER, type PanelServer, startPanel } from '../../panel/test/panel-server.ts';
import { History, START, step } from './figures-history.ts';
import type { Row } from './figures-model.ts';

/** Set FIGURES_RUNS for more histories. */
const RUNS = Number(process.env['FIGURES_RUNS'] ?? 12);
const RANGE = 'from=2026-10-01&to=2027-09-30';
const numbersOf = ({ delivered, valid, viewable, clicks }: Total) => [delivered, valid, viewable, clicks];
const byKey = <R extends Total>(rows: readonly R[], keyOf: (row: R) => string) =>
  Object.fromEntries(
    rows
      .filter((row) => numbersOf(row).some((count) => count > 0))
      .map((row): [string, number[]] => [keyOf(row), numbersOf(row)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The figures of a CSV file, by the column `key`. */
function csvFigures(file: string, key: string, also = '') {
  const [head = [], ...rows] = file
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((line): string[] => JSON.parse(`[${line.replace(/,(?=,|$)/g, ',""')}]`).map(String));
  const cell = (row: readonly string[], name: string) => row[head.indexOf(name)] ?? '';
  const figures = rows.map((row): [string, number[]] => {
    const numbers = ['delivered', 'valid', 'viewable', 'clicks'].map((name) => Number(cell(row, name)));
    if (!head.includes('delivered')) numbers[0] = (numbers[1] ?? 0) + Number(cell(row, 'not counted'));
    const ctr = numbers[1] ? Math.round(((numbers[3] ?? 0) / numbers[1]) * 10_000) / 100 : 0;
    expect(Number(cell(row, 'ctr %'))).toBe(ctr);
    return [[cell(row, key), ...(also ? [cell(row, also)] : [])].join(' '), numbers];
  });
  const some = figures.filter(([, numbers]) => numbers.some((count) => count > 0));
  return Object.fromEntries(some.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const folder = temporaryFolder();
let panel: PanelServer;
let session = '';
let now = START;
beforeAll(async () => {
  panel = await startPanel(`sqlite:${folder.join('panel.db')}`, { now: () => now });
  session = await panel.session(MANAGER);
});
afterAll(() => panel?.close());

const command = (name: string, blog: string, args: object) =>
  runCommand({ store: panel.store, now, commands: COMMANDS }, { name, blog, args, actor: COMMAND_LINE });

const linesOf = (rows: readonly Row[]) =>
  rows.map((row) => [row.day, row.ad, row.campaign, row.placement, row.traffic, ...countsOf(row)].join(' ')).sort();
const countsOf = ({ delivered, viewable, clicks }: Row) => [delivered, viewable, clicks];

async function compareStores({ model, memory, blog }: History): Promise<void> {
  const by = ['day', 'ad', 'campaign', 'placement', 'traffic'] as const;
  const stored = await panel.store.figures(blog, { by });
  expect(memory.figures(blog, { by })).toEqual(stored);
  const rows = stored.map(({ requests, ...row }) => ({ ...row, delivered: requests }));
  expect(linesOf(rows)).toEqual(linesOf([...model.rows.values()]));
}

async function compareStats({ model, blog }: History): Promise<void> {
  const stats = (await command('stats', blog, {})) as Awaited<ReturnType<(typeof COMMANDS)['stats']['run']>>;
  const placed = model.sums(['placement'], ({ placement, ad: of }) => placement !== '' && of !== '');
  expect(byKey(stats.ads, ({ id }) => id)).toEqual(model.sums(['ad']));
  expect(byKey(stats.campaigns, ({ id }) => id)).toEqual(model.sums(['campaign'], ({ campaign: id }) => id !== ''));
  expect(byKey(stats.days, ({ day, adId: of }) => `${day} ${of}`)).toEqual(model.sums(['day', 'ad']));
  expect(byKey(stats.placements, ({ placement }) => placement)).toEqual(placed);
}

async function comparePanel({ model, blog }: History): Promise<void> {
  const get = async (path: string) => (await panel.ask(session, `/panel/${blog}/${path}?${RANGE}`)).text();
  expect(csvFigures(await get('ads.csv'), 'id')).toEqual(model.sums(['ad']));
  expect(csvFigures(await get('days.csv'), 'day')).toEqual(model.sums(['day']));
  const ofCampaigns = model.sums(['campaign'], ({ campaign: id }) => id !== '');
  expect(csvFigures(await get('campaigns.csv'), 'id')).toEqual(ofCampaigns);
  const placed = model.sums(['placement'], ({ placement, ad: of }) => placement !== '' && of !== '');
  expect(csvFigures(await get('placements.csv'), 'placement')).toEqual(placed);
  const live = JSON.parse(await get('live.json'));
  for (const [id, [, valid, , clicks]] of Object.entries(model.sums(['ad']))) {
    expect([live[`ad-${id}-impressions`], live[`ad-${id}-clicks`]]).toEqual([String(valid), String(clicks)]);
  }
}

async function compareReports({ model, blog, campaigns }: History): Promise<void> {
  for (const id of Object.keys(model.sums(['campaign'], ({ campaign: of }) => of !== ''))) {
    const isOwn = (row: { campaign: string }) => row.campaign === id;
    const report = (await command('campaigns.report', blog, { campaign: id })) as Extract<
      Awaited<ReturnType<(typeof COMMANDS)['campaigns.report']['run']>>,
      { readonly adDays: unknown }
    >;
    expect(report.state === 'deleted').toBe(!campaigns.has(id));
    expect({ '': numbersOf(report) }).toEqual(model.sums([], isOwn));
    expect(byKey(report.ads, ({ id: of }) => of)).toEqual(model.sums(['ad'], isOwn));
    expect(byKey(report.days, ({ day }) => day)).toEqual(model.sums(['day'], isOwn));
    expect(byKey(report.adDays, ({ day, adId: of }) => `${day} ${of}`)).toEqual(model.sums(['day', 'ad'], isOwn));
    if (!campaigns.has(id)) continue;
    const { link } = (await command('campaigns.report', blog, { campaign: id, link: true, url: panel.url })) as {
      link: string;
    };
    const titles = new Map(report.ads.map(({ id: of, title }) => [of, title]));
    const own = Object.entries(model.sums(['day', 'ad'], isOwn)).map(([key, numbers]) => {
      const [day = '', of = ''] = key.split(' ');
      return [`${day} ${titles.get(of)}`, numbers];
    });
    expect(csvFigures(await (await fetch(`${link}.csv`)).text(), 'day', 'ad')).toEqual(Object.fromEntries(own));
  }
}

it('the panel, stats, CSV files, reports and the sum of the responses agree after random histories', async () => {
  let blogs = 0;
  for (const seed of seedsOf(40))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
        blogs += 1;
        const history = new History(panel, `news-${blogs}`);
        await history.open();
        for (const one of steps) await history.run(one);
        now = history.now;
        await compareStores(history);
        await compareStats(history);
        await comparePanel(history);
        await compareReports(history);
      }),
      { seed, numRuns: RUNS, endOnFailure: true },
    );
}, 120_000);
