// A page in a real browser whose API is a world of this test: no server, no port. With Playwright's own runner, take
// `page` from the test's fixtures; everything else stays as it is.
import { existsSync } from 'node:fs';
import { createMock } from '@broadsheet/mock-server';
import { routeWorld } from '@broadsheet/mock-server/playwright';
import { chromium } from 'playwright';
import { expect, test } from 'vitest';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!executablePath) console.warn('\n*** SKIPPED: Chromium is not installed: the Playwright example is not run ***\n');

const site = `<!doctype html><title>Reader</title><h1>Loading</h1><a>ad</a><script type="module">
  const ask = (path, init) => fetch('https://api.example/public/' + path,
    { ...init, headers: { 'X-API-Key': new URLSearchParams(location.search).get('key'), 'Content-Type': 'application/json' } });
  const answer = await ask('posts?limit=1');
  document.querySelector('h1').textContent = answer.ok ? (await answer.json()).data[0].title : 'Sorry, try again later';
  const ad = await (await ask('ads/formats/BANNER')).json();
  const link = document.querySelector('a');
  link.textContent = ad.title;
  link.onclick = () => ask('ads/tracking/click', { method: 'POST', body: JSON.stringify({ clickToken: ad.clickToken }) })
    .then(({ status }) => { link.textContent = 'counted ' + status; });
</script>`;

test.skipIf(!executablePath)('a reader sees a post, clicks an ad once, and is told when the blog is down', async () => {
  const mock = createMock({ baseUrl: 'https://api.example' });
  const world = mock.world();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    await page.route('https://site.example/**', (route) => route.fulfill({ contentType: 'text/html', body: site }));
    await routeWorld(page, mock, world);
    const address = `https://site.example/?key=${world.apiKey}`;

    await page.goto(address);
    await page
      .getByText(/^(?!ad$)/)
      .and(page.locator('a'))
      .click();
    await page.getByText('counted 200').waitFor();
    await expect.poll(() => page.locator('h1').textContent()).not.toBe('Loading');
    expect(world.tokens.used).toHaveLength(1);
    world.assertOnContract();

    world.fail('posts.list', 500);
    await page.goto(address);
    await page.getByText('Sorry, try again later').waitFor();
  } finally {
    await browser.close();
  }
});
