import { expect, test } from 'vitest';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { useSites } from './site/sites.ts';

const SLOTS =
  '<broadsheet-slot name="top" format="BANNER"></broadsheet-slot><broadsheet-slot name="p" format="POPUP"></broadsheet-slot>';
const tcf = (consents: object): string =>
  `<script>window.__tcfapi = (_, __, report) => report({ gdprApplies: true, eventStatus: 'tcloaded', purpose: { consents: ${JSON.stringify(consents)} } });</script>`;

describeInChromium('consent', (stage) => {
  const sites = useSites();

  test('if TCF purpose 1 is refused, there are ads and clicks, and nothing is written to storage', async () => {
    sites.api.clicks.length = sites.api.requests.length = 0;
    sites.page.html = `${sites.head('data-consent="tcf"')}${tcf({ 1: false, 2: true })}<body>${SLOTS}`;
    const page = await stage.newPage();
    await page.clock.install();
    await page.goto(sites.publisher.url);
    await page.locator('[name=top] a').click();
    await expect.poll(() => sites.api.clicks.length).toBe(1);
    // Longer than a popup would take.
    await page.clock.runFor(60_000);
    expect(await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])).toEqual([]);
    expect(sites.api.requests.filter((request) => request === 'POST /public/ads/formats')).toHaveLength(1);
  });

  test.each([
    ['tcf gpc', tcf({ 1: true, 2: false })],
    [
      'gpp',
      `<script>window.__gpp = (_, report) => report({ pingData: { signalStatus: 'ready', parsedSections: { tcfeuv2: { PurposeConsents: [true, false] } } } });</script>`,
    ],
  ])('with data-consent="%s", no ad is requested after a refusal', async (consent, platform) => {
    sites.api.requests.length = 0;
    sites.page.html = `${sites.head(`data-consent="${consent}"`)}${platform}<body>${SLOTS}`;
    const page = await stage.newPage();
    await page.clock.install();
    await page.goto(sites.publisher.url);
    await page.waitForLoadState('networkidle');
    await page.clock.runFor(60_000);
    expect(sites.api.requests).toEqual([]);
  });
});
