import { createMock, type World } from '@broadsheet/mock-server';
import { worldFixture } from '@broadsheet/mock-server/playwright';
// In your own project, import from '@playwright/test', which is the same module.
import { test as base, expect } from 'playwright/test';

// Pages in a real browser, with a world of the mock as their API: no server, no port, and tests share no state.
const mock = createMock({ baseUrl: 'https://api.example' });

// Each test has its own world, and fails if its page sends a request that the real API would reject.
const test = base.extend<{ world: World }>({ world: worldFixture(mock) });
test.beforeEach(({ page }) =>
  page.route('https://site.example/**', (route) => route.fulfill({ contentType: 'text/html', body: site })),
);

test('a reader sees the newest post, and a click on the ad counts once', async ({ page, world }) => {
  await page.goto(`https://site.example/?key=${world.apiKey}`);
  await expect(page.locator('h1')).not.toHaveText('Loading');
  await page.locator('a[href]').click();
  await expect(page.locator('a')).toHaveText('counted 200');
  expect(world.tokens.used).toHaveLength(1);
});

test('a reader waits while the blog is slow', async ({ page, world }) => {
  const gate = world.hold('posts.list');
  await page.goto(`https://site.example/?key=${world.apiKey}`);
  await gate.arrived();
  await expect(page.locator('h1')).toHaveText('Loading');
  gate.release();
  await expect(page.locator('h1')).not.toHaveText('Loading');
});

test('a reader sees that the blog is down', async ({ page, world }) => {
  world.fail('posts.list', 500);
  await page.goto(`https://site.example/?key=${world.apiKey}`);
  await expect(page.locator('h1')).toHaveText('Sorry, try again later');
});

/** A stand-in for the site under test. */
const site = `<!doctype html><title>Reader</title><h1>Loading</h1><a></a><script type="module">
  const ask = (path, init) => fetch('https://api.example/public/' + path,
    { ...init, headers: { 'X-API-Key': new URLSearchParams(location.search).get('key'), 'Content-Type': 'application/json' } });
  const response = await ask('posts?limit=1');
  document.querySelector('h1').textContent = response.ok ? (await response.json()).data[0].title : 'Sorry, try again later';
  const ad = await (await ask('ads/formats/BANNER')).json();
  const link = document.querySelector('a');
  Object.assign(link, { textContent: ad.title, href: '#' });
  link.onclick = () => ask('ads/tracking/click', { method: 'POST', body: JSON.stringify({ clickToken: ad.clickToken }) })
    .then(({ status }) => { link.textContent = 'counted ' + status; });
</script>`;
