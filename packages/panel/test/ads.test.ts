import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { png, SAMPLE_IMAGES, sha256 } from '../../../tools/testing/images.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

const [TEA, COFFEE] = NEWS.ads.map(({ id }) => id);
const ADS = '/panel/news/ads';
const DAY = 86_400_000;

describe('the ads of a blog in the panel', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let session = '';
  let now = Date.parse('2026-11-22T10:00:00Z');
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`, { now: () => now });
    await panel.store.importBlogs([NEWS], now);
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  const page = async (path: string) => (await panel.ask(session, path)).text();
  const active = async () => (await panel.store.listAllAds('news')).filter((ad) => ad.active).map(({ title }) => title);
  const add = async (form: Record<string, string | File>) => {
    const response = await panel.ask(session, `${ADS}.add`, { form: { format: 'BANNER', priority: '0', ...form } });
    return { status: response.status, html: await response.text(), location: response.headers.get('location') ?? '' };
  };

  /** Sends the form of the selected ads. */
  async function sendSelected(action: 'pause' | 'resume', ...ads: readonly (string | undefined)[]): Promise<Response> {
    const form = (await page(ADS)).split(`action="${ADS}.${action}"`)[1] ?? '';
    const body = new FormData();
    body.append('token', /name="token" value="([^"]+)"/.exec(form)?.[1] ?? '');
    for (const ad of ads) body.append('ad', ad ?? '');
    const headers = { Cookie: `broadsheet-panel=${session}`, Origin: panel.url };
    return fetch(`${panel.url}${ADS}.${action}`, { method: 'POST', headers, body, redirect: 'manual' });
  }

  it('the list names the sponsor and the campaign, and the impressions of the last 30 days', async () => {
    const cocoa = (await panel.store.listAllAds('news')).find(({ title }) => title === 'Cocoa');
    if (!cocoa) throw new Error('There is no cocoa.');
    const imageUrl = `${panel.url}/media/cocoa.png`;
    await panel.store.putAd('news', { ...cocoa, campaignId: 'spring', imageUrl });
    const slots = [{ candidates: [cocoa.id] }];
    for (const days of [0, 29, 30]) await panel.store.deliver('news', { slots }, now - days * DAY);
    const html = await page(ADS);
    expect(html).toMatch(
      /<th scope="row"[^>]*>(?:(?!<\/tr>).)*Cocoa(?:(?!<\/tr>).)*Leaves &amp; Co.*?Spring.*?>2<\/a>/s,
    );
    expect([...html.matchAll(/<img src="([^"]*)"/g)].map(([, url]) => url)).toEqual([imageUrl]);
    expect(await page(`${ADS}?q=leaves+%26`)).toMatch(/all \d+.*>Cocoa</s);
    expect(await page(`${ADS}?q=leaves+%26`)).not.toContain('>Tea<');
    const names = [...html.matchAll(/<bdi>(Tea|Coffee|Cocoa|Ice)</g)].map(([, name]) => name);
    expect(names).toEqual(['Cocoa', 'Coffee', 'Ice', 'Tea']);
    await panel.store.putAd('news', cocoa);
  });

  it('selected ads are paused and resumed together', async () => {
    expect(await page(ADS)).toContain(`value="${TEA}" form="pause"`);
    const paused = await panel.ask(session, `${ADS}.pause`, { form: { ad: TEA ?? '' } });
    expect([paused.status, paused.headers.get('location')]).toEqual([303, `${ADS}?done=paused`]);
    expect(await active()).not.toContain('Tea');
    const { total } = await panel.store.readLog({ offset: 0, limit: 1 });
    await sendSelected('resume', TEA, COFFEE);
    expect(await active()).toEqual(expect.arrayContaining(['Tea', 'Coffee']));
    const log = await panel.store.readLog({ offset: 0, limit: 100 });
    expect(log.total).toBe(total + 1);
    expect(log.entries.map(({ what }) => what)).toContain('resumed the ads “Tea”, “Coffee”');
    // What is running already is not a change.
    await sendSelected('resume', TEA, COFFEE);
    expect((await panel.store.readLog({ offset: 0, limit: 1 })).total).toBe(total + 1);
  });

  it('if one of the selected ads was deleted, none is changed, and the page says so', async () => {
    const response = await sendSelected('pause', TEA, '3f2504e0-4f89-41d3-9a0c-0305e82c33ff', COFFEE);
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('none of the 3 ads was')]);
    expect(await active()).toEqual(expect.arrayContaining(['Tea', 'Coffee']));
    const none = await panel.ask(session, `${ADS}.pause`, { form: {} });
    expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('No ad is selected')]);
    await panel.store.setAdActive('news', COFFEE ?? '', false);
  });

  it('the ad that was created last is at the top of the list', async () => {
    const names = (html: string) => [...html.matchAll(/<bdi>(Tea|Coffee|Zinc|Alum)</g)].map(([, name]) => name);
    const start = now;
    expect(await page(ADS)).not.toContain('Created');
    for (const title of ['Zinc', 'Alum']) {
      await add({ title });
      now += DAY;
    }
    expect(names(await page(ADS))).toEqual(['Alum', 'Zinc', 'Coffee', 'Tea']);
    expect(names(await page(`${ADS}?sort=-created`))).toEqual(['Coffee', 'Tea', 'Zinc', 'Alum']);
    // An edit, and an export that is imported elsewhere, keep the time.
    const zinc = (await panel.store.listAllAds('news')).find(({ title }) => title === 'Zinc');
    await panel.ask(session, `${ADS}.edit`, { form: { ad: zinc?.id ?? '', title: 'Zinc', content: 'Metal' } });
    const blog = await panel.store.exportBlog('news');
    if (!blog) throw new Error('There is no blog.');
    await panel.store.importBlogs([{ ...blog, id: 'copied', name: 'Copied' }], now);
    expect(names(await page('/panel/copied/ads'))).toEqual(['Alum', 'Zinc', 'Coffee', 'Tea']);
    await panel.store.deleteBlog('copied');
    now = start;
  });

  it('duplicating an ad opens a form with its fields', async () => {
    const form = await page(`${ADS}.add?copy=${TEA}`);
    for (const value of ['Tea', 'https://tea.example/', 'Drink']) expect(form).toContain(`value="${value}"`);
    expect((await panel.ask(session, `${ADS}.add?copy=nothing`)).status).toBe(404);
  });

  it('a duplicate keeps the times of its original, unless another day is chosen', async () => {
    const times = { startsAt: '2027-01-10T09:00:00.000Z', endsAt: '2027-01-20T12:00:00.000Z' };
    const { location } = await add({ title: 'Original', ...times });
    const original = location.split('?')[0]?.split('/').at(-1) ?? '';
    const form = await page(`${ADS}.add?copy=${original}`);
    expect(form).toContain(`name="copy" value="${original}"`);
    const copied = { copy: original, startsAt: '2027-01-10', endsAt: '2027-01-21' };
    const wrong = await add({ ...copied, title: '', imageUrl: 'wrong' });
    expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining(`name="copy" value="${original}"`)]);
    await add({ ...copied, title: 'Copy' });
    const copy = (await panel.store.listAllAds('news')).find(({ title }) => title === 'Copy');
    expect(copy).toMatchObject({ startsAt: times.startsAt, endsAt: '2027-01-21T23:59:59.999Z' });
  });

  it('only the formats of low slots have a low preview', async () => {
    const low = [...(await page(`${ADS}.add`)).matchAll(/<input type="radio"[^>]*value="(\w+)"[^>]*>/g)];
    expect(low.filter(([input]) => input.includes('data-low')).map(([, format]) => format)).toEqual([
      'BANNER',
      'INLINE',
    ]);
  });

  it('an ad that ends within a week is pointed out', async () => {
    const endsAt = (days: number) => new Date(now + days * DAY).toISOString();
    await add({ title: 'Ends soon', linkUrl: 'https://a.example/', endsAt: endsAt(6) });
    await add({ title: 'Ends later', linkUrl: 'https://a.example/', endsAt: endsAt(8) });
    for (const path of [ADS, '/panel/news']) {
      const html = await page(path);
      expect(html, path).toMatch(/Ends soon<\/a> ends on Nov 28, 2026/);
      expect(html, path).not.toMatch(/Ends later<\/a> ends on/);
    }
  });

  it('the title of an ad has a maximum length, and a missing link gives a notice', async () => {
    const { status, html } = await add({ title: 'x'.repeat(121), linkUrl: 'https://a.example/' });
    expect([status, html]).toEqual([400, expect.stringContaining('must be at most 120 characters long')]);
    expect(html).toMatch(/<a href="#title">Title<\/a>/);
    expect(html).toMatch(/id="title"[^>]*autofocus/);
    const { location } = await add({ title: 'Nowhere' });
    expect(await page(location)).toContain('The ad has no link');
    expect(await page(`${ADS}.add`)).toMatch(/id="title"[^>]*maxlength="120"/);
  });

  it('an uploaded image is stored, and the ad gets its URL', async () => {
    for (const [extension, bytes] of Object.entries(SAMPLE_IMAGES)) {
      const image = new File([bytes], '728x90 ü.html');
      const { location } = await add({ title: extension, linkUrl: 'https://a.example/', image });
      const url = `${panel.url}/media/${sha256(bytes)}.${extension}`;
      expect(await page(location)).toContain(`value="${url}"`);
      expect(sha256(new Uint8Array(await (await fetch(url)).arrayBuffer()))).toBe(sha256(bytes));
    }
  });

  it('an uploaded image replaces the image of an existing ad, and a form without a file changes nothing', async () => {
    const { location } = await add({
      title: 'Replaced',
      linkUrl: 'https://a.example/',
      imageUrl: 'https://a.example/a.png',
    });
    const path = location.split('?')[0] ?? '';
    const form = { format: 'BANNER', priority: '0', title: 'Replaced', linkUrl: 'https://a.example/' };
    const imageUrl = 'https://a.example/a.png';
    const ad = path.split('/').at(-1) ?? '';
    const save = (image: File) => panel.ask(session, `${ADS}.edit`, { form: { ad, ...form, imageUrl, image } });
    expect((await save(new File([], ''))).status).toBe(303);
    expect(await page(path)).toContain('value="https://a.example/a.png"');
    expect((await save(new File([png(3, 4)], 'a.png'))).status).toBe(303);
    expect(await page(path)).toContain(`/media/${sha256(png(3, 4))}.png`);
  });

  it('a link that cannot work is refused, and the form suggests the corrected one', async () => {
    const { status, html } = await add({ title: 'Tea', linkUrl: 'tea.example/spring' });
    expect(status).toBe(400);
    expect(html).toContain('Did you mean https://tea.example/spring?');
    expect(html).toMatch(/value="https:\/\/tea\.example\/spring" id="linkUrl"/);
    expect((await add({ title: 'Tea', linkUrl: 'http://' })).html).toContain('is not a complete URL');
  });

  it('the form says which image to ask a sponsor for, and an empty file is refused', async () => {
    const form = await page(`${ADS}.add`);
    expect(form).toMatch(/320 × 320<br\/>image: 640 × 360/);
    const { status, html } = await add({ title: 'Tea', image: new File([], 'tea.png') });
    expect([status, html]).toEqual([400, expect.stringContaining('tea.png is empty')]);
  });

  it('an ad has a name that only the publisher sees; without a title, it is the name of its image file', async () => {
    const named = async (form: Parameters<typeof add>[0]) => {
      const { location } = await add({ linkUrl: 'https://a.example/', ...form });
      const id = location.split('/').at(-1)?.split('?')[0];
      return (await panel.store.listAllAds('news')).find((one) => one.id === id)?.name;
    };
    expect(await named({ image: new File([png(7, 4)], 'banner-leaderboard.png') })).toBe('banner-leaderboard.png');
    expect(await page(ADS)).toContain('banner-leaderboard.png');
    expect(await named({ image: new File([png(7, 4)], 'a.png'), title: 'Tea' })).toBeUndefined();
    expect(await named({ image: new File([png(7, 4)], 'a.png'), name: 'For the autumn' })).toBe('For the autumn');
    expect(await page(ADS)).toContain('For the autumn');
    expect(await page(`${ADS}?q=autumn`)).toContain('For the autumn');
  });

  it('a file that cannot be stored is reported beside its field, and the other fields keep what was typed', async () => {
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
    for (const [bytes, reason] of [
      [svg, 'evil.png is SVG'],
      [png(10_000, 10_000), 'at most 50 megapixels'],
      [png(1, 1, 10 * 1024 * 1024 + 1), 'at most 10 MiB'],
    ] as const) {
      const { status, html } = await add({ title: 'Kept title', image: new File([bytes], 'evil.png') });
      expect([status, html]).toEqual([400, expect.stringContaining(reason)]);
      expect(html).toContain('value="Kept title"');
      expect(html).toMatch(/<a href="#imageUrl">Image<\/a>/);
    }
    const tooMuch = await add({ image: new File([new Uint8Array(15 * 1024 * 1024)], 'a.png') });
    expect(tooMuch.status).toBe(413);
  });

  it('the image of a form with a problem is not stored, and the form asks for it again', async () => {
    const image = new File([png(5, 6)], 'a.png');
    const title = 'x'.repeat(121);
    const added = await add({ title, image });
    const changed = await panel.ask(session, `${ADS}.edit`, {
      form: { ad: TEA ?? '', format: 'BANNER', title, image },
    });
    for (const [status, html] of [
      [added.status, added.html],
      [changed.status, await changed.text()],
    ] as const) {
      expect([status, html]).toEqual([400, expect.stringContaining('Choose the file again')]);
      expect(html).toMatch(/<a href="#image">Image file<\/a>/);
    }
    expect(await panel.store.missingImages('news', [sha256(png(5, 6))])).toHaveLength(1);
  });

  it('the figures list ads by name, including ads without a title and deleted ads', async () => {
    const { location } = await add({
      imageUrl: 'https://tea.example/summer.png?size=2',
      linkUrl: 'https://a.example/',
    });
    const image = location.split('/').at(-1)?.split('?')[0] ?? '';
    await panel.store.deliver('news', { slots: [image, COFFEE ?? ''].map((id) => ({ candidates: [id] })) }, now);
    const deleted = await panel.ask(session, `${ADS}.delete`, { form: { ad: COFFEE ?? '' } });
    expect(deleted.status).toBe(303);
    const overview = await page('/panel/news');
    expect(overview).toMatch(/summer\.png<\/bdi> <small>BANNER/);
    expect(overview).toMatch(/Coffee<\/bdi> <small>deleted/);
    const bytes = await (await panel.ask(session, '/panel/news/ads.csv')).bytes();
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes)).toContain(`"${COFFEE}","deleted","Coffee",1,0,0`);
  });

  it('an ad and a long post are restored from the recycle bin unchanged', async () => {
    const bin = async (kind: string, id: string) => {
      const [entry] = (await panel.store.listBin('news', now)).items.filter(
        (one) => one.kind === kind && one.id === id,
      );
      return { [kind]: id, deletedAt: new Date(entry?.deletedAt ?? 0).toISOString() };
    };
    const content = 'Ж'.repeat(900_000);
    const posts = [{ id: 'long', slug: 'long', title: 'Long', content }];
    await panel.store.importBlogs([{ id: 'news', name: 'The News', posts }], now);
    await panel.ask(session, '/panel/news/posts.delete', { form: { post: 'long' } });
    expect(await panel.store.getAnyPost('news', 'long')).toBeUndefined();
    expect(await page('/panel/news/bin')).toMatch(/Long.*post/s);
    const restored = await panel.ask(session, '/panel/news/posts.restore', { form: await bin('post', 'long') });
    expect(restored.status).toBe(303);
    expect((await panel.store.getAnyPost('news', 'long'))?.content).toBe(content);
    await panel.ask(session, '/panel/news/ads.restore', { form: await bin('ad', COFFEE ?? '') });
    expect((await panel.store.listAllAds('news')).map(({ title }) => title)).toContain('Coffee');
  });

  it('the recycle bin has pages, and all posts of one deletion are restored by one button', async () => {
    const posts = Array.from({ length: 51 }, (_, index) => ({
      id: `m${index}`,
      slug: `m${index}`,
      title: `M${index}`,
    }));
    await panel.store.importBlogs([{ id: 'many', name: 'Many', posts }], now);
    const whole = await panel.store.exportBlog('many');
    await panel.store.importBlogs([{ id: 'many', name: 'Many' }], now, { prune: true });
    const [first, second] = [await page('/panel/many/bin'), await page('/panel/many/bin?page=2')];
    const rows = (html: string) => html.split('<tr>').length - 2;
    expect([rows(first), rows(second)]).toEqual([50, 1]);
    expect(first.split('Restore all 51 posts').length - 1).toBe(1);
    const [, deletedAt = ''] =
      /name="deletedAt" value="([^"]+)"[^>]*\/?>\s*<button[^>]*>Restore all 51/.exec(first) ?? [];
    const restored = await panel.ask(session, '/panel/many/posts.restore', { form: { deletedAt } });
    expect(restored.status).toBe(303);
    expect(await panel.store.exportBlog('many')).toEqual(whole);
    expect(await page('/panel/many/bin')).toContain('The recycle bin is empty');
    await panel.store.deleteBlog('many');
  });

  it('an invitation gives the least access by default', async () => {
    const html = await page('/panel/people');
    expect(html).toMatch(/<option value="view" selected/);
    expect(html).toMatch(/<option value="news" selected/);
  });
});
