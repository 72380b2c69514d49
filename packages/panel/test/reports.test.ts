import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { MANAGER, NEWS, type PanelServer, startPanel, VIEWER } from './panel-server.ts';

const SPRING = '/panel/news/campaigns/spring';
const REPORT = '/panel/news/campaigns.report';
const [TEA = '', OTHER = ''] = NEWS.ads.map(({ id }) => id);
const LATE = '0f6f2f6e-9f0c-4f0e-8a53-5a3c0d6c9b11';
const DAY = 86_400_000;

describe('the report of a campaign', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let session = '';
  let now = Date.parse('2026-11-20T12:00:00Z');
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`, { now: () => now });
    const [tea, coffee, ...ads] = NEWS.ads;
    const inCampaign = { ...tea, title: '=Tea', id: TEA, format: 'BANNER' as const, campaignId: 'spring' };
    const ofOther = { ...coffee, id: OTHER, format: 'SIDEBAR' as const, active: true, campaignId: 'rival' };
    const rival = { id: 'rival', sponsor: 'Rival Inc', name: 'Rival', goal: { impressions: 777 } };
    const late = { id: 'late', sponsor: 'Late Inc', name: 'Late', goal: { impressions: 100 } };
    const ofLate = { ...inCampaign, id: LATE, title: 'Milk', campaignId: 'late' };
    const campaigns = [...NEWS.campaigns, rival, late];
    await panel.store.importBlogs([{ ...NEWS, campaigns, ads: [inCampaign, ofOther, ofLate, ...ads] }], now);
    session = await panel.session(MANAGER);
    const to = (ad: string, campaign: string) => ({
      slots: [{ candidates: [ad] }],
      campaigns: new Map([[ad, campaign]]),
    });
    for (let count = 0; count < 30; count += 1) await panel.store.deliver('news', to(TEA, 'spring'), now);
    for (let count = 0; count < 9; count += 1) await panel.store.deliver('news', to(OTHER, 'rival'), now);
    for (let count = 0; count < 7; count += 1)
      await panel.store.deliver('news', { ...to(TEA, 'spring'), traffic: 'bot' }, now);
    const viewable = { tokenExpiresAt: now + DAY, adId: TEA, campaignId: 'spring', day: '2026-11-20' };
    await panel.store.recordViewable('news', [
      { ...viewable, tokenId: 'a' },
      { ...viewable, tokenId: 'b' },
    ]);
    now += DAY;
    for (let count = 0; count < 12; count += 1) await panel.store.deliver('news', to(TEA, 'spring'), now);
    await panel.store.deliver('news', to(LATE, 'late'), now);
  });
  afterAll(() => panel?.close());

  const share = async (expires = '', as = session, more = {}) => {
    const response = await panel.ask(as, REPORT, { form: { campaign: 'spring', expires, ...more } });
    const html = await response.text();
    return { status: response.status, link: /https?:\/\/[^\s<]+\/report\/[\w-]+/.exec(html)?.[0] ?? '' };
  };
  const get = async (url: string) => {
    const response = await fetch(url);
    const { 'x-request-id': _, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, html: await response.text() };
  };
  const textOf = (html: string) =>
    html
      .replace(/<style.*?<\/style>/gs, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');

  it('names an ad by its title or text, and by its private name only if it has neither', async () => {
    const { link } = await share();
    const stored = (await panel.store.listAllAds('news')).find(({ id }) => id === TEA);
    if (!stored) throw new Error('no ad');
    await panel.store.putAd('news', { ...stored, name: 'Version B, the cheap one' });
    expect(await (await fetch(link)).text()).not.toContain('cheap');
    expect(await (await fetch(`${link}.csv`)).text()).not.toContain('cheap');
    const imageUrl = `https://blog.example/media/${'0'.repeat(64)}.png`;
    await panel.store.putAd('news', { ...stored, title: null, content: null, imageUrl, name: 'leaderboard.png' });
    expect(textOf(await (await fetch(link)).text())).toMatch(/leaderboard\.png banner/);
    expect(await (await fetch(`${link}.csv`)).text()).toContain('leaderboard.png');
    await panel.store.putAd('news', stored);
  });

  it('a link shows the figures and the ads of its campaign, and nothing about other campaigns', async () => {
    const { status, link } = await share();
    expect([status, link]).toEqual([200, expect.stringMatching(/\/report\/[\w-]{43}$/)]);
    const { status: found, headers, html } = await get(link);
    expect(found).toBe(200);
    const text = textOf(html);
    expect(text).toMatch(/Nov 20, 2026 to Nov 21, 2026 · running, ends about/);
    expect(text).toMatch(
      /valid impressions 42 viewable \(2\) 6\.67% clicks 0 click-through rate 0\.00% 42 of 1,000 impressions 4%/,
    );
    expect(text).toMatch(/=Tea banner Leaves and time 42 2 6\.67% 0 0\.00% .*Total 42 2 6\.67% 0 0\.00%/);
    expect(text).toMatch(/Nov 20 30 2 6\.67% 0 0\.00% Nov 21 12 – – 0 0\.00%/);
    expect(text).toContain('Friday, November 20, 2026: 30 valid, 2 viewable');
    // The table shows dashes for a day on which nothing was measured, so the chart does not say zero.
    expect(text).not.toContain('12 valid, 0 viewable');
    expect(html).toContain('<span class="key before">');
    expect(text).toMatch(
      /Delivered Ads of the campaign were sent to pages 49 times\. Each .* Valid .*7 were not counted: 7 to crawlers and tools\./,
    );
    expect(html).not.toMatch(/Rival|Coffee|777|<script|javascript:| on\w+=| style=/i);
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*style-src 'sha256-/),
    });
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('without measured impressions, the chart has no line of viewable ones', async () => {
    const { link } = await share('', session, { campaign: 'late' });
    const { html } = await get(link);
    const text = textOf(html);
    expect(text).toContain('viewable (not measured)');
    expect(text).toContain('were sent to pages 1 time.');
    expect(text).toContain('Saturday, November 21, 2026: 1 valid');
    expect(text).not.toContain('1 valid, 0 viewable');
    expect(html).not.toContain('class="key before"');
    const paths = [...html.matchAll(/<path class="before" d="([^"]*)"/g)].map(([, path]) => path);
    expect([...new Set(paths)]).toEqual(['']);
  });

  it('names the publisher, its site, its contact and its logo', async () => {
    const publisher = { logoUrl: 'https://news.example/logo.png', contact: 'ads@news.example' };
    await panel.ask(session, '/panel/news/blogs.publisher', { form: publisher });
    await panel.store.setDomains('news', ['*.news.example', 'news.example']);
    const { html } = await get((await share()).link);
    expect(textOf(html)).toContain('The News news.example ads@news.example');
    expect(html).toContain('<img src="https://news.example/logo.png"');
    expect(html).toContain('href="mailto:ads@news.example"');
    await panel.store.setDomains('news', []);
  });

  it('the pace is shown only through a link that was created with it', async () => {
    const [plain, paced] = [await share(), await share('', session, { showPace: 'true' })];
    const before = (await panel.store.listCampaigns('news')).find(({ id }) => id === 'spring');
    const ends = { startsAt: new Date(now - 9 * DAY).toISOString(), endsAt: new Date(now + 9 * DAY).toISOString() };
    if (before) await panel.store.putCampaign('news', { ...before, ...ends, pace: 'fast' });
    expect(textOf((await get(plain.link)).html)).not.toMatch(/behind|ahead/);
    expect(textOf((await get(paced.link)).html)).toMatch(/\d+% behind/);
  });

  it('the CSV file has the same figures, and no cell becomes a formula', async () => {
    const { link } = await share();
    const { headers, html } = await get(`${link}.csv`);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="Leaves-Co-Spring.csv"; filename*=UTF-8\'\'Leaves-Co-Spring.csv',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    const bytes = new Uint8Array(await (await fetch(`${link}.csv`)).arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(html.split('\r\n').slice(1, 3)).toEqual([
      `"2026-11-20","'=Tea","BANNER",30,2,6.67,0,0,7`,
      `"2026-11-21","'=Tea","BANNER",12,,,0,0,0`,
    ]);
  });

  it('a wrong, an expired and a revoked link respond with the same page', async () => {
    const wrong = await get(`${panel.url}/report/${randomBytes(32).toString('base64url')}`);
    const malformed = await get(`${panel.url}/report/${'x'.repeat(5000)}`);
    const { link: short } = await share('1d');
    const { link } = await share();
    expect((await get(short)).status).toBe(200);
    now += DAY;
    const expired = await get(short);
    const id = createHash('sha256')
      .update(link.split('/').at(-1) ?? '')
      .digest('hex')
      .slice(0, 12);
    const page = await (await panel.ask(session, SPRING)).text();
    expect(page).toContain(`name="revoke" value="${id}"`);
    expect(page).not.toContain(link.split('/').at(-1));
    const revoke = () => panel.ask(session, REPORT, { form: { campaign: 'spring', revoke: id } });
    expect((await revoke()).status).toBe(303);
    const revoked = await get(link);
    const withoutDate = ({ status, headers: { date: _, ...headers }, html }: Awaited<ReturnType<typeof get>>) => ({
      status,
      headers,
      html,
    });
    expect(wrong.status).toBe(404);
    expect(wrong.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' });
    for (const other of [malformed, expired, revoked]) expect(withoutDate(other)).toEqual(withoutDate(wrong));
    expect((await get(`${link}.csv`)).status).toBe(404);
    expect((await revoke()).status).toBe(404);
  });

  it('only managers create and revoke links, and the log records both without the token', async () => {
    const { link } = await share();
    expect((await share('', await panel.session(VIEWER))).status).toBe(403);
    expect(await (await panel.ask(await panel.session(VIEWER), SPRING)).text()).not.toContain('Share report');
    const { entries } = await panel.store.readLog({ offset: 0, limit: 100 });
    const done = entries.map(({ who, blogId, what }) => `${who} ${blogId}: ${what}`);
    expect(done).toContain('Ada news: shared the report of the campaign “Spring”');
    expect(done).toContain('Ada news: revoked a link to the report of the campaign “Spring”');
    const token = link.split('/').at(-1) ?? '';
    await get(link);
    expect(JSON.stringify([entries, panel.logged])).not.toContain(token);
    const stored = await panel.store.listReportLinks({ blog: 'news', campaign: 'spring' }, now);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('deleting a campaign revokes its links, and restoring it does not bring them back', async () => {
    const { link } = await share();
    await panel.store.deleteCampaign('news', 'spring', now);
    expect((await get(link)).status).toBe(404);
    await panel.store.restoreFromBin('news', { kind: 'campaign', id: 'spring', deletedAt: now }, now);
    expect((await get(link)).status).toBe(404);
    const { link: next } = await share();
    expect((await get(next)).status).toBe(200);
    await panel.store.deleteBlog('news');
    expect((await get(next)).status).toBe(404);
    expect(await panel.store.listReportLinks({ blog: 'news', campaign: 'spring' }, now)).toEqual([]);
  });
});
