import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPostgres, describeDatabases } from '../../../tools/testing/databases.ts';
import { openSite, type Site } from '../../../tools/testing/site.ts';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { broadsheet, type ServerProcess, serve } from './broadsheet.ts';

const GOAL = 1000;
/** More than the goal requires: one in ten is not a reader, and the last readers get another ad. */
const DELIVERIES = 1300;
const CLIENTS = 12;
const READER = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
/** The headers of a delivery that does not come from a reader, by the name of the reason in the report. */
const EXCLUDED = {
  'to crawlers and tools': {
    'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  },
  'to pages that a browser loaded in advance': { 'Sec-Purpose': 'prefetch' },
  'to pages on other sites': { Origin: 'https://copy.example' },
};
type Reason = keyof typeof EXCLUDED;
const REASONS = Object.keys(EXCLUDED) as Reason[];

interface DeliveredAd {
  readonly filled: boolean;
  readonly title?: string;
  readonly clickToken?: string;
}

describeInChromium('a publisher with a sponsor', (stage) =>
  describeDatabases('three processes', (database) => {
    const servers: ServerProcess[] = [];
    /** The publisher's own site: one page with the pasted code and policy. */
    let site: Site;
    let pasted = '';
    let policy = '';
    // Each attempt has its own database, because a retry must not find the blog of the attempt before.
    let databaseUrl = '';
    beforeEach(async () => {
      databaseUrl = database.kind === 'SQLite' ? await database.another() : await createPostgres('template0');
      [pasted, policy] = ['', ''];
      site = await openSite(({ url }, response) => {
        response.setHeader('Content-Type', 'text/html');
        if (policy) response.setHeader('Content-Security-Policy', policy);
        response.end(url === '/' ? pasted : '');
      });
      await own('blogs', 'create', 'news', '--name', 'The News', '--domain', new URL(site.url).host);
      await own('ads', 'add', 'news', '--format', 'BANNER', '--title', 'Subscribe', '--link', `${site.url}/subscribe`);
      servers.push(await start());
    });
    afterEach(async () => {
      await Promise.all(servers.splice(0).map((server) => server.stop()));
      await site?.close();
    });

    const own = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await broadsheet([...args, '--database', databaseUrl], database);
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const start = () => serve(['--database', databaseUrl], { cwd: database.cwd, env: { TRUST_PROXY: '1' } });
    const ask = (number: number, path: string, headers: Readonly<Record<string, string>>, body?: string) =>
      fetch(`${servers[number % servers.length]?.url}${path}`, {
        ...(body !== undefined && { method: 'POST', body }),
        headers: {
          ...{ 'User-Agent': READER, Origin: site.url, 'X-Forwarded-For': `10.0.${number >> 8}.${number & 255}` },
          ...headers,
        },
      });
    const deliver = async (number: number, apiKey: string, headers: Readonly<Record<string, string>> = {}) => {
      for (;;) {
        const response = await ask(number, '/public/ads/formats/BANNER', { 'X-API-Key': apiKey, ...headers });
        if (response.status === 200) return (await response.json()) as DeliveredAd;
        // A server that is too busy counts nothing, and names a time for the next attempt.
        expect(response.status).toBe(503);
        await sleep(Number(response.headers.get('retry-after')) * 1000);
      }
    };

    /** Sends deliveries to all processes at once, and reports every fourth of the sponsor's ads as viewable. */
    const load = async (apiKey: string) => {
      const sum = { readers: 0, viewable: 0, others: 0, excluded: new Map<string, number>() };
      let next = 0;
      const client = async () => {
        while (next < DELIVERIES) {
          const number = next++;
          const reason = number % 10 === 0 ? REASONS[(number / 10) % REASONS.length] : undefined;
          const { title, clickToken } = await deliver(number, apiKey, reason && EXCLUDED[reason]);
          const isSponsor = title === 'Green tea';
          if (isSponsor && reason) sum.excluded.set(reason, (sum.excluded.get(reason) ?? 0) + 1);
          else if (isSponsor) sum.readers += 1;
          else {
            expect(title).toBe('Subscribe');
            sum.others += 1;
          }
          if (!isSponsor || (!reason && number % 4 !== 0)) continue;
          const beacon = await ask(number + 1, '/measure/viewable', { 'Content-Type': 'text/plain' }, clickToken);
          expect(beacon.status).toBe(204);
          if (!reason) sum.viewable += 1;
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      return sum;
    };

    const createCampaign = async (page: Page) => {
      await page.getByRole('link', { name: 'Campaigns' }).click();
      await page.getByRole('link', { name: 'New campaign' }).click();
      await page.getByLabel('Sponsor').fill('Leaves & Co');
      await page.getByLabel('Name').fill('Spring');
      await page.getByLabel('Goal: impressions').fill(String(GOAL));
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('0 of 1,000 impressions').waitFor();
      return page.url().split('?')[0] ?? '';
    };
    const createAd = async (page: Page) => {
      // The image file of the ad, as a designer would send it.
      const picture = await stage.newPage({ viewport: { width: 640, height: 160 } });
      await picture.setContent('<body style="background: linear-gradient(90deg, #264, #8b5); color: #fff">Tea');
      const image = join(database.cwd, 'spring-tea.png');
      await picture.screenshot({ path: image });

      await page.getByRole('link', { name: 'New ad in this campaign' }).click();
      await page.getByLabel('Title').fill('Green tea');
      await page.getByLabel('Link', { exact: true }).fill(`${site.url}/tea`);
      await page.getByLabel('Image file').setInputFiles(image);
      await page.getByLabel('Priority').fill('10');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('running: delivered now').waitFor();
    };
    const embed = async (page: Page) => {
      await page.getByRole('link', { name: 'Embed' }).click();
      await page.getByRole('button', { name: 'Show the tags' }).click();
      await page.getByRole('button', { name: 'Create key for these tags' }).click();
      pasted = await page.getByRole('textbox', { name: 'A complete page' }).inputValue();
      policy = `default-src 'none'; ${await page.getByRole('textbox', { name: 'Policy' }).inputValue()}`;
      return /data-api-key="([^"]+)"/.exec(pasted)?.[1] ?? '';
    };
    /** The values of a description list by their names. */
    const listed = async (page: Page, list: string) => {
      const texts = (tag: string) => page.locator(`dl.${list} ${tag}`).allTextContents();
      const values = await texts('dd');
      return new Map((await texts('dt')).map((name, index) => [name, values[index]]));
    };

    it('sells a campaign: it ends at its goal, and the report of the sponsor shows viewable and excluded impressions', async () => {
      const page = await stage.newPage({ viewport: { width: 1280, height: 900 } });
      const complaints = recordConsole(page);
      const url = servers[0]?.url ?? '';
      await page.goto(/http\S+/.exec(await own('panel', 'invite', 'Ada', '--role', 'manage', '--url', url))?.[0] ?? '');
      await page.getByRole('button', { name: 'Sign in' }).click();
      const campaign = await createCampaign(page);
      await createAd(page);
      const apiKey = await embed(page);

      // A headless browser counts as a bot.
      const reader = await stage.newPage({ userAgent: READER });
      const refused = recordConsole(reader);
      const beacon = reader.waitForRequest((request) => request.url() === `${url}/measure/viewable`);
      await reader.goto(site.url);
      const ad = reader.locator('broadsheet-slot');
      await ad.locator('.title').getByText('Green tea').waitFor();
      await expect.poll(() => ad.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
      expect(await ad.locator('img').getAttribute('src')).toMatch(new RegExp(`^${url}/media/[0-9a-f]{64}\\.png$`));
      await beacon;
      const campaigns = async () => {
        await page.goto(`${url}/panel/news/campaigns`);
        return page.getByRole('row', { name: 'Spring' }).textContent();
      };
      await expect.poll(campaigns).toContain('100.00%');
      expect(await campaigns()).toContain('1 of 1,000 impressions');
      expect(refused).toEqual([]);

      await page.goto(campaign);
      await page.getByRole('button', { name: 'Share report' }).click();
      const link = (await page.locator('.secret').textContent()) ?? '';
      servers.push(...(await Promise.all([start(), start()])));
      const { readers, viewable, others, excluded } = await load(apiKey);
      expect(readers).toBe(GOAL - 1);
      const left = [...excluded.values()].reduce((sum, impressions) => sum + impressions, 0);
      expect([...excluded.keys()].sort()).toEqual([...REASONS].sort());
      expect(readers + left + others).toBe(DELIVERIES);
      // Without another ad, the slot stays empty.
      const [house] = JSON.parse(await own('ads', 'list', 'news', '--json')).filter(
        (one: { title: string }) => one.title === 'Subscribe',
      );
      await own('ads', 'pause', 'news', house.id);
      for (const number of servers.keys()) {
        await expect.poll(() => deliver(number, apiKey)).toEqual({ filled: false });
      }

      await page.goto(campaign);
      await page.getByText('goal reached').waitFor();
      const sponsor = await stage.newPage();
      await sponsor.goto(link);
      await sponsor.getByRole('heading', { name: 'Spring' }).waitFor();
      await sponsor.getByText('1,000 of 1,000 impressions').waitFor();
      const totals = await listed(sponsor, 'totals');
      expect(totals.get('valid impressions')).toBe('1,000');
      expect(totals.get(`viewable (${viewable + 1})`)).toBe(`${((viewable + 1) / 10).toFixed(2)}%`);
      const valid = (await listed(sponsor, 'definitions')).get('Valid');
      expect(valid).toContain(`${left} were not counted: `);
      for (const [reason, impressions] of excluded) expect(valid).toContain(`${impressions} ${reason}`);
      await sponsor
        .getByRole('cell', { name: 'Green tea' })
        .or(sponsor.getByRole('rowheader', { name: 'Green tea' }))
        .waitFor();
      expect(complaints).toEqual([]);
    });
  }),
);
