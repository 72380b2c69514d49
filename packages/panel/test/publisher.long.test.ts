import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../tools/testing/folder.ts';
import { openSite, type Site } from '../../../tools/testing/site.ts';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';
import { visit } from './visitor.ts';

/** A browser that is not headless, because headless browsers count as crawlers, whose impressions do not count. */
const READER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36';

const TEXT = new TextEncoder();

const GREEN_TEA = { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3304', format: 'BANNER' as const, title: 'Green tea' };

describeInChromium('a publisher with a panel', (stage) => {
  let folder: TemporaryFolder;
  let panel: PanelServer;
  /** The publisher's own site: one page with the pasted code and policy. */
  let site: Site;
  let pasted = '';
  let policy = '';
  // Each attempt has a database of its own.
  beforeEach(async () => {
    folder = temporaryFolder();
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
    await panel.store.importBlogs([{ ...NEWS, ads: [] }], Date.now());
    site = await openSite(({ url }, response) => {
      response.setHeader('Content-Type', 'text/html');
      if (policy) response.setHeader('Content-Security-Policy', policy);
      response.end(url === '/' ? pasted : '');
    });
    [pasted, policy] = ['', ''];
  });
  afterEach(async () => {
    await site?.close();
    await panel?.close();
  });

  const follow = async (page: Page) => {
    await panel.store.invitePerson(MANAGER, 'the-link', Date.now());
    await page.goto(`${panel.url}/panel/sign-in?token=the-link`);
  };
  const importAd = () => panel.store.importBlogs([{ ...NEWS, ads: [GREEN_TEA] }], Date.now());
  const delivered = async (apiKey: string) => {
    const response = await fetch(`${panel.url}/public/ads/formats/BANNER`, { headers: { 'X-API-Key': apiKey } });
    return (await response.json()) as { filled?: boolean; title?: string };
  };

  it('signs in with a link, creates an ad with previews, embeds it, and sees its first click', async () => {
    const page = await stage.newPage({ viewport: { width: 1280, height: 900 } });
    const complaints = recordConsole(page);
    await follow(page);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Create an ad' }).click();

    const previews = page.frameLocator('iframe[data-preview="wide"]');
    await page.getByLabel('Title').fill('Green tea');
    await page.getByLabel('Text', { exact: true }).fill('Leaves, water and time');
    await page.getByLabel('Link', { exact: true }).fill(`${site.url}/tea`);
    await page.getByLabel('Link text').fill('Drink it');
    for (const format of ['SIDEBAR', 'INLINE', 'NATIVE', 'POPUP', 'BANNER']) {
      await page.getByLabel(format).check();
      await previews.locator(`broadsheet-slot[format="${format}"] .title`).getByText('Green tea').waitFor();
    }
    const long = page.frameLocator('iframe[data-preview="long"]');
    await long.locator('.title').getByText('Green tea and on it goes').waitFor();
    await page.getByLabel('Last day').fill('2020-01-01');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.locator('#endsAt-notes .wrong').textContent()).toMatch(/is over; the ad would never run/);
    await page.getByLabel('Last day').fill('2099-12-31');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('running: delivered now').waitFor();
    expect((await panel.store.listAllAds('news'))[0]).toMatchObject({
      title: 'Green tea',
      endsAt: '2099-12-31T23:59:59.999Z',
    });
    expect(await panel.store.figures('news', { by: [] })).toEqual([]);

    await page.getByRole('link', { name: 'Embed' }).click();
    await page.getByText('Files', { exact: true }).click();
    await page.getByLabel('Pinned by hash').check();
    await page.getByRole('button', { name: 'Show the tags' }).click();
    await page.getByRole('button', { name: 'Create key for these tags' }).click();
    pasted = await page.getByRole('textbox', { name: 'A complete page' }).inputValue();
    policy = `default-src 'none'; ${await page.getByRole('textbox', { name: 'Policy' }).inputValue()}`;
    const reader = await stage.newPage({ userAgent: READER });
    const refused = recordConsole(reader);
    await reader.goto(site.url);
    await reader.locator('broadsheet-slot .title').getByText('Green tea').waitFor();
    const opened = reader.waitForEvent('popup');
    await reader.locator('broadsheet-slot .link').click();
    expect((await opened).url()).toBe(`${site.url}/tea`);
    expect(refused.filter((message) => /Content Security Policy|integrity/i.test(message))).toEqual([]);

    await page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => page.locator('[data-live="total-clicks"]').textContent()).toBe('1');
    expect(await page.locator('[data-live="total-ctr"]').textContent()).toBe('100.00%');
    await expect.poll(() => page.locator('[data-live="placement-top-clicks"]').textContent()).toBe('1');
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
  });

  it('pauses, resumes, deletes and restores an ad', async () => {
    await importAd();
    const { page } = await visit(stage, panel, MANAGER);
    const apiKey = 'news-key';
    expect(await delivered(apiKey)).toMatchObject({ title: 'Green tea' });
    await page.goto(`${panel.url}/panel/news/ads`);
    await page.getByRole('button', { name: 'Pause Green tea' }).click();
    await page.getByText('Paused. The ad is no longer delivered.').waitFor();
    expect(await delivered(apiKey)).toEqual({ filled: false });
    await page.getByRole('button', { name: 'Resume Green tea' }).click();
    await page.getByText('Resumed.').waitFor();
    const [before] = await panel.store.listAllAds('news');
    await page.getByRole('link', { name: 'Green tea' }).click();
    await page.getByRole('button', { name: 'Delete ad' }).click();
    await page.getByRole('button', { name: 'Delete “Green tea”' }).click();
    expect(await panel.store.listAllAds('news')).toEqual([]);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Restored.').waitFor();
    expect(await panel.store.listAllAds('news')).toEqual([before]);
  });

  it('rotates the keys and gets tags with the new key', async () => {
    await importAd();
    const { page } = await visit(stage, panel, MANAGER);
    await page.goto(`${panel.url}/panel/news/keys`);
    await page.getByRole('button', { name: 'Rotate keys' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate keys' }).click();
    const apiKey = (await page.locator('.secret').textContent()) ?? '';
    expect(await page.getByRole('textbox', { name: 'Tags for the head' }).inputValue()).toContain(
      `data-api-key="${apiKey}"`,
    );
    await expect.poll(() => delivered('news-key')).not.toHaveProperty('filled');
    expect(await delivered(apiKey)).toMatchObject({ filled: true });
  });

  it('copies the tags with one click', async () => {
    const { page } = await visit(stage, panel, MANAGER, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${panel.url}/panel/news/embed`);
    await page.getByRole('button', { name: 'Show the tags' }).click();
    await page.getByRole('button', { name: 'Copy the tags for the head' }).click();
    await page.getByText('Copied.').waitFor();
    const tags = await page.getByRole('textbox', { name: 'Tags for the head' }).inputValue();
    expect(tags).toContain('broadsheet.js');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(tags);
  });

  it('publishes a scheduled post now, schedules a draft, and unpublishes a post', async () => {
    const { page } = await visit(stage, panel, MANAGER);
    const status = async (id: string) => (await panel.store.getAnyPost('news', id))?.status;
    await page.goto(`${panel.url}/panel/news/posts?status=SCHEDULED`);
    await page.getByRole('button', { name: 'Publish now On Friday' }).click();
    await page.getByText('Published. Readers can see the post now.').waitFor();
    expect(await status('p2')).toBe('PUBLISHED');
    await page.goto(`${panel.url}/panel/news/posts/p3`);
    await page.getByText('Publish later').click();
    await page.getByLabel('Date and time (UTC)').fill('2099-05-01T08:30');
    await page.getByRole('button', { name: 'Schedule post' }).click();
    await page.getByText('Scheduled. The post is published automatically').waitFor();
    expect(await panel.store.getAnyPost('news', 'p3')).toMatchObject({ scheduledAt: '2099-05-01T08:30:00.000Z' });
    await page.goto(`${panel.url}/panel/news/posts/p1`);
    expect(await page.frameLocator('iframe.text').locator('em').textContent()).toBe('there');
    await page.getByRole('button', { name: 'Unpublish post' }).click();
    await page.getByText('Unpublished. The post is a draft again.').waitFor();
    expect(await status('p1')).toBe('DRAFT');
  });

  it('imports a zip of a folder: sees all problems, then a preview, then the posts', async () => {
    const { page } = await visit(stage, panel, MANAGER);
    const send = async (files: Record<string, string>) => {
      await page.goto(`${panel.url}/panel/news/import`);
      const buffer = Buffer.from(
        zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, TEXT.encode(text)]))),
      );
      await page.getByLabel(/^File/).setInputFiles({ name: 'posts.zip', mimeType: 'application/zip', buffer });
      await page.getByRole('button', { name: 'Preview file' }).click();
    };
    const before = await panel.store.exportBlog('news');
    await send({ 'posts/a.md': '---\ntitle: [\n---\n', 'posts/b.md': '---\ndate: never\n---\nB' });
    const problems = await page.locator('.problems li').allTextContents();
    expect(problems.map((text) => /[ab]\.md/.exec(text)?.[0])).toEqual(expect.arrayContaining(['a.md', 'b.md']));
    await send({ 'posts/2026-01-02-rain.md': '---\ntitle: Rain\n---\nIt *rains*.', '__MACOSX/x': '' });
    await page.getByText('has no problems').waitFor();
    // A JSON file is imported as well.
    const blogs = [{ id: 'news', name: 'The News', posts: [{ id: 'r', title: 'Drop', slug: 'r' }] }];
    const buffer = Buffer.from(JSON.stringify({ blogs }));
    await page.goto(`${panel.url}/panel/news/import`);
    await page.getByLabel(/^File/).setInputFiles({ name: 'drop.json', mimeType: 'application/json', buffer });
    await page.getByRole('button', { name: 'Preview file' }).click();
    await page
      .getByRole('row', { name: /^posts/ })
      .getByText('Drop')
      .waitFor({ state: 'attached' });
    await send({ 'posts/2026-01-02-rain.md': '---\ntitle: Rain\n---\nIt *rains*.', '__MACOSX/x': '' });
    await page.getByText('has no problems').waitFor();
    const row = page.getByRole('row', { name: /^posts/ });
    expect(await row.locator('td').nth(0).locator('summary').textContent()).toBe('1');
    expect(await row.locator('td').nth(3).locator('summary').textContent()).toBe('3');
    expect(await panel.store.exportBlog('news')).toEqual(before);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported.').waitFor();
    const after = await panel.store.exportBlog('news');
    expect(after?.posts).toHaveLength(4);
    expect(after).toMatchObject({ name: 'The News', ads: before?.ads });
  });

  it('imports a folder of hundreds of files, and shows the progress', async () => {
    const { page } = await visit(stage, panel, MANAGER);
    const posts = folder.join('winter');
    await mkdir(posts);
    const write = (name: string, text: string) => writeFile(join(posts, name), text);
    for (let number = 0; number < 500; number++)
      await write(`post-${number}.md`, `---\ntitle: Winter ${number}\ndate: 2026-01-01\n---\nIt *snows*.`);
    const bad = Array.from({ length: 250 }, (_, number) => `bad-${number}.md`);
    for (const name of bad) await write(name, '---\ndate: never\n---\nB');
    const before = await panel.store.exportBlog('news');
    const choose = async () => {
      await page.goto(`${panel.url}/panel/news/import`);
      await page.getByLabel(/^Folder/).setInputFiles(posts);
      await page.getByRole('button', { name: 'Preview folder' }).click();
    };
    await choose();
    await page.getByText('“winter” has 250 problems. Nothing was imported.').waitFor();
    const named = await page.locator('.problems code').allTextContents();
    expect(named.map((text) => text.split(':')[0]).sort()).toEqual(bad.toSorted());

    for (const name of bad) await rm(join(posts, name));
    // Held until the test has seen the progress of the upload.
    const { promise: seen, resolve: show } = Promise.withResolvers<string>();
    await page.exposeFunction('show', show);
    await page.addInitScript(() =>
      addEventListener('submit', ({ target }) => {
        const form = target as HTMLFormElement;
        const [status, bar] = [form.querySelector('[role="status"]'), form.querySelector('progress')];
        const button = form.querySelector('button');
        const progress = `${status?.textContent} ${bar?.hidden === false} ${button?.disabled}`;
        (globalThis as unknown as { show(progress: string): void }).show(progress);
      }),
    );
    await page.route(/\/import\?progress=/, (route) => void seen.then(() => route.continue()));
    await choose();
    expect(await seen).toBe('Uploading … true true');
    await page.getByText('“winter” has no problems. Nothing has changed yet.').waitFor();
    await page
      .getByRole('row', { name: /^posts/ })
      .locator('summary')
      .first()
      .click();
    const added = page
      .getByRole('row', { name: /^posts/ })
      .locator('td')
      .first()
      .locator('li');
    expect(await added.count()).toBe(500);
    expect(await panel.store.exportBlog('news')).toEqual(before);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported.').waitFor();
    expect((await panel.store.exportBlog('news'))?.posts).toHaveLength((before?.posts.length ?? 0) + 500);
  });

  it('creates and pauses an ad with the keyboard only', async () => {
    const page = await stage.newPage();
    await panel.store.invitePerson(MANAGER, 'keys', Date.now());
    await page.goto(`${panel.url}/panel/sign-in?token=keys`);
    /** Presses Tab until the element with this name has the focus. */
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => {
          const element = document.activeElement as HTMLInputElement | null;
          return (element?.labels?.[0] ?? element)?.textContent?.trim();
        });
        if (focused === name) return;
      }
      throw new Error(`Tab never reached ${name}`);
    };
    // The button gets the focus when the page is rendered, which may be after the load event.
    await page.locator('button:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await tabTo('Skip to content');
    await tabTo('Ads');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ads' }).waitFor();
    await tabTo('New ad');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New ad' }).waitFor();
    await tabTo('BANNER');
    await page.keyboard.press('ArrowRight');
    await tabTo('Title');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByText('running: delivered now').waitFor();
    await tabTo('Pause');
    await page.keyboard.press('Enter');
    await page.getByText('paused: not delivered').waitFor();
    const ads = await panel.store.listAllAds('news');
    expect(ads.find(({ title }) => title === 'By keyboard')).toMatchObject({ format: 'SIDEBAR', active: false });
  });

  it('works without scripts', async () => {
    const { page } = await visit(stage, panel, MANAGER, { javaScriptEnabled: false });
    await page.goto(`${panel.url}/panel/news/ads.add`);
    await page.getByLabel('Title').fill('Plain');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('running: delivered now').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused: not delivered').waitFor();
    await page.goto(`${panel.url}/panel/news?metric=clicks&period=7`);
    expect(await page.locator('.chart-wide path.now').getAttribute('d')).toMatch(/^M/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are not signed in').waitFor();
  });

  it('is not signed in by a page of another site: the browser does not send the cookie', async () => {
    const { page } = await visit(stage, panel, MANAGER);
    // To a browser, 127.0.0.1 and localhost are two sites.
    const elsewhere = site.url.replace('127.0.0.1', 'localhost');
    policy = '';
    pasted = `<form method="post" action="${panel.url}/panel/news/blogs.rename"><input name="name" value="Taken over"></form><a href="${panel.url}/panel/news">in</a>`;
    await page.goto(elsewhere);
    await page.evaluate(() => document.querySelector('form')?.submit());
    await page.waitForURL(`${panel.url}/**`);
    const posts = panel.requests.filter(
      ({ method, url }) => method === 'POST' && url.endsWith('/panel/news/blogs.rename'),
    );
    expect(posts.map(({ headers }) => headers.get('cookie'))).toEqual([null]);
    // A link from another site sends no cookie either, so the panel reloads from its own origin.
    await page.goto(elsewhere);
    await page.getByRole('link', { name: 'in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const [first, second] = panel.requests.filter(({ url }) => url.endsWith('/panel/news')).slice(-2);
    expect([first?.headers.get('cookie'), second?.headers.get('cookie') !== null]).toEqual([null, true]);
  });
});
