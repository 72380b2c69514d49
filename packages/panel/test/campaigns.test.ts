import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { MANAGER, NEWS, type PanelServer, startPanel, VIEWER } from './panel-server.ts';

const CAMPAIGNS = '/panel/news/campaigns';
const TEA = NEWS.ads[0]?.id ?? '';
const DAY = 86_400_000;

describe('the campaigns of a blog in the panel', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let session = '';
  let now = Date.parse('2026-11-22T00:00:00Z');
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`, { now: () => now });
    await panel.store.importBlogs([{ ...NEWS, campaigns: [] }], now);
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  const page = async (path: string, as = session) => (await panel.ask(as, path)).text();
  const text = async (path: string) => (await page(path)).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const send = (path: string, form: Record<string, string>) => panel.ask(session, path, { form });
  const add = async (form: Record<string, string>) => {
    const response = await send(`${CAMPAIGNS}.add`, { sponsor: 'Leaves & Co', name: 'Spring', ...form });
    const path = response.headers.get('location')?.split('?')[0] ?? '';
    return { status: response.status, html: await response.text(), path, id: path.split('/').at(-1) ?? '' };
  };

  it('a campaign is created with a goal and dates, and each problem is shown at its field', async () => {
    expect(await page(CAMPAIGNS)).toContain('No campaigns yet');
    const wrong = await add({ name: '', goalImpressions: '-1', goalClicks: '5' });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toMatch(/<a href="#name">Name<\/a>/);
    expect(wrong.html).toMatch(/id="name"[^>]*aria-invalid="true"/);
    const both = await add({ goalImpressions: '10', goalClicks: '5' });
    expect([both.status, both.html]).toEqual([400, expect.stringContaining('a campaign has one goal')]);
    const { status, id } = await add({
      startsAt: '2026-11-22',
      endsAt: '2026-12-01',
      goalImpressions: '1000',
      perDay: '200',
      pace: 'fast',
    });
    expect(status).toBe(303);
    expect((await panel.store.listCampaigns('news')).find((campaign) => campaign.id === id)).toMatchObject({
      ...{ sponsor: 'Leaves & Co', name: 'Spring', kind: 'paid', pace: 'fast', perDay: 200 },
      ...{ goal: { impressions: 1000 }, startsAt: '2026-11-22T00:00:00.000Z', endsAt: '2026-12-01T23:59:59.999Z' },
    });
    expect(await text(CAMPAIGNS)).toContain('0 of 1,000 impressions');
  });

  it('an ad is assigned to a campaign, which counts its deliveries and shows when it ends', async () => {
    const { id, path } = await add({ name: 'Summer', startsAt: '2026-11-22', endsAt: '2026-12-01', goalClicks: '40' });
    expect(await page(`/panel/news/ads.add?campaign=${id}`)).toMatch(new RegExp(`<option value="${id}" selected`));
    const saved = await send('/panel/news/ads.edit', {
      ad: TEA,
      format: 'BANNER',
      title: 'Tea',
      content: 'Leaves and time',
      campaignId: id,
      priority: '0',
      linkUrl: 'https://tea.example/',
      linkText: 'Drink',
    });
    expect(saved.status).toBe(303);
    expect(await panel.store.listAllAds('news')).toContainEqual(expect.objectContaining({ id: TEA, campaignId: id }));
    const unknown = await send('/panel/news/ads.edit', {
      ad: TEA,
      format: 'BANNER',
      title: 'Tea',
      campaignId: 'nothing',
      priority: '0',
    });
    expect(unknown.status).toBeGreaterThanOrEqual(400);

    now += 2 * DAY;
    const delivery = { slots: [{ candidates: [TEA] }], campaigns: new Map([[TEA, id]]) };
    for (let count = 0; count < 10; count += 1) await panel.store.deliver('news', delivery, now);
    expect(await text(path)).toMatch(/Leaves &amp; Co · Valid impressions: 10 · Clicks: 0 · CTR: 0\.00%/);
    expect(await text(CAMPAIGNS)).toMatch(
      /Summer Leaves &amp; Co running ends on December 1, 100% behind 0 of 40 clicks/,
    );
    const overview = await text('/panel/news');
    expect(overview).toMatch(/By campaign .*Summer (?:Leaves &amp; Co ){2}10 10 – – 0 0\.00%/);
    expect(await text(`/panel/news?campaign=${id}`)).toMatch(/Campaign Summer × all campaigns Open campaign/);
    expect(await text('/panel/news?sponsor=Nobody')).not.toContain('Summer');
    const csv = await page('/panel/news/campaigns.csv');
    expect(csv).toContain(`"${id}","Leaves & Co","Summer",,10,0,0,10,,\r\n`);
    now -= 2 * DAY;
  });

  it('editing an outdated version is refused; a campaign is deleted and restored with its ads', async () => {
    const { path, id } = await add({ name: 'Autumn', goalImpressions: '10' });
    await panel.store.putAd('news', { ...(await ad()), campaignId: id });
    const goal = { kind: 'paid', pace: 'even', goalImpressions: '10' };
    const edit = (name: string) =>
      send(`${CAMPAIGNS}.edit`, { campaign: id, sponsor: 'Leaves & Co', name, ...goal, 'seen.name': 'Autumn' });
    expect((await edit('Autumn leaves')).headers.get('location')).toBe(`${path}?done=saved`);
    const late = await edit('Too late');
    expect([late.status, await late.text()]).toEqual([
      409,
      expect.stringMatching(/to “Autumn leaves”\. You entered “Too late”/),
    ]);
    expect((await send(`${CAMPAIGNS}.delete`, { campaign: id })).status).toBe(303);
    expect((await panel.ask(session, path)).status).toBe(404);
    expect((await panel.store.listAllAds('news')).map((one) => one.id)).not.toContain(TEA);
    const entry = (await panel.store.listBin('news', now)).items.find((one) => one.kind === 'campaign');
    const deletedAt = new Date(entry?.deletedAt ?? 0).toISOString();
    const restored = await send(`${CAMPAIGNS}.restore`, { campaign: id, deletedAt });
    expect(restored.status).toBe(303);
    expect(await text(path)).toContain('Autumn leaves');
    expect(await panel.store.listAllAds('news')).toContainEqual(expect.objectContaining({ id: TEA, campaignId: id }));
    const log = (await panel.store.readLog({ offset: 0, limit: 10 })).entries.map(({ what }) => what);
    for (const what of ['created', 'changed', 'deleted', 'restored'])
      expect(log.join()).toContain(`${what} the campaign “Autumn`);
    expect(log).toContain('changed the campaign “Autumn leaves”: name');
  });

  it('a deleted campaign keeps its figures in the overview, its CSV file and on its page', async () => {
    const { path, id } = await add({ name: 'Gone', kind: 'house' });
    const delivery = { slots: [{ candidates: [TEA] }], campaigns: new Map([[TEA, id]]) };
    await panel.store.deliver('news', delivery, now);
    expect(await text(CAMPAIGNS)).toMatch(/House campaigns .*Gone/);
    expect((await send(`${CAMPAIGNS}.delete`, { campaign: id })).status).toBe(303);
    expect(await text('/panel/news')).toMatch(/By campaign .*Gone house, deleted/);
    expect(await page('/panel/news/campaigns.csv')).toContain(`"${id}","Leaves & Co","Gone","house, deleted",1,0,0,1`);
    expect(await text(path)).toMatch(/Gone deleted Show figures .*Valid impressions: 1 /);
    expect(await page(path)).not.toMatch(/campaigns\.(?:edit|delete|report)|ads\.add/);
    expect(await text(CAMPAIGNS)).toMatch(/Gone Leaves &amp; Co deleted/);
  });

  it('a campaign names places, which are chosen from those that were requested', async () => {
    const slots = ['top', 'top', 'side'].map((placement) => ({ candidates: [], placement }));
    await panel.store.deliver('news', { slots }, now - 29 * DAY);
    await panel.store.deliver('news', { slots: [{ candidates: [], placement: 'old' }] }, now - 30 * DAY);
    const form = await page(`${CAMPAIGNS}.add`);
    expect(form).toMatch(/name="placements" value="top"\/> <span><bdi>top<\/bdi>: impressions 0, requests 2/);
    expect(form).not.toContain('>old<');
    const { path, id } = await add({ name: 'Placed', placements: 'top', otherPlacements: 'post-*\r\n\r\n top ' });
    const campaign = async () => (await panel.store.listCampaigns('news')).find((one) => one.id === id);
    expect(await campaign()).toMatchObject({ placements: ['top', 'post-*'] });
    expect(await page(path)).toMatch(
      /value="top" checked=""\/> <span><bdi>top<.*value="side"\/> <span><bdi>side<.*>\s*post-\*<\/textarea>/s,
    );
    const fields = { campaign: id, sponsor: 'Leaves & Co', name: 'Placed', kind: 'paid', pace: 'even' };
    const edit = async (form: object) => send(`${CAMPAIGNS}.edit`, { ...fields, ...form });
    const delivery = { slots: [{ candidates: [TEA], placement: 'top' }], campaigns: new Map([[TEA, id]]) };
    await panel.store.deliver('news', delivery, now);
    expect(await text(path)).toMatch(/By placement .* top 1 – – 0 0\.00%/);
    const wrong = await edit({ otherPlacements: 'a*b' });
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringMatching(/id="otherPlacements"[^>]*aria-invalid="true"[^>]*>a\*b.*with \* only at its end/s),
    ]);
    expect((await edit({ placements: 'side', otherPlacements: '' })).status).toBe(303);
    expect(await campaign()).toMatchObject({ placements: ['side'] });
    expect((await edit({ name: 'Not placed' })).status).toBe(303);
    expect(await campaign()).toMatchObject({ placements: ['side'] });
    expect((await edit({ otherPlacements: '' })).status).toBe(303);
    expect(await campaign()).not.toHaveProperty('placements');
  });

  it('a plan that cannot work is reported after it was saved', async () => {
    const { path } = await add({ name: 'Too much', goalImpressions: '100000', perDay: '5', endsAt: '2026-12-01' });
    expect(await text(path)).toContain('at 5 impressions per day, at most 50 of 100,000 fit into its period');
    expect(await text((await add({ name: 'No end', goalImpressions: '10' })).path)).toContain('Without a last day');
  });

  it('a campaign is paused and resumed as a whole', async () => {
    const { path, id } = await add({ name: 'Interrupted' });
    expect((await send(`${CAMPAIGNS}.pause`, { campaign: id })).headers.get('location')).toBe(
      `${path}?done=interrupted`,
    );
    expect(await text(`${path}?done=interrupted`)).toMatch(/Paused\. Its ads are no longer delivered\..* paused /);
    expect(await text(CAMPAIGNS)).toContain('Interrupted Leaves &amp; Co paused');
    expect((await panel.store.listCampaigns('news')).find((one) => one.id === id)?.paused).toBe(true);
    const { campaignId: _, ...before } = await ad();
    await panel.store.putAd('news', { ...before, campaignId: id });
    expect(await text(`/panel/news/ads/${TEA}`)).toContain('paused: because its campaign is paused');
    expect(await text('/panel/news/ads?state=paused')).toContain('Tea');
    await panel.store.putAd('news', before);
    await send(`${CAMPAIGNS}.resume`, { campaign: id });
    expect(await text(CAMPAIGNS)).toContain('Interrupted Leaves &amp; Co empty has no ad to deliver');
    expect(await text(path)).toContain('Pause');
    expect((await panel.store.listCampaigns('news')).find((one) => one.id === id)).not.toHaveProperty('paused');
  });

  it('a viewer can see campaigns but not change them', async () => {
    const viewer = await panel.session(VIEWER);
    const { path, id } = await add({ name: 'Winter' });
    expect(await page(path, viewer)).toContain('<fieldset disabled');
    expect((await panel.ask(viewer, `${CAMPAIGNS}.add`)).status).toBe(404);
    expect((await panel.ask(viewer, `${CAMPAIGNS}.delete`, { form: { campaign: id } })).status).toBe(403);
  });

  const ad = async () => {
    const [found] = (await panel.store.listAllAds('news')).filter(({ id }) => id === TEA);
    if (!found) throw new Error('no ad');
    return found;
  };
});
