import { createMock, type World } from '@broadsheet/mock-server';
import { worldFixture } from '@broadsheet/mock-server/playwright';
import { test as base, expect } from 'playwright/test';

// Playwright's runner runs this file, and some of the tests fail on purpose.

const mock = createMock({ baseUrl: 'https://api.example' });
const test = base.extend<{ world: World }>({ world: worldFixture(mock, { apiKey: 'built-in' }) });
test.beforeEach(async ({ page }) => {
  const site = `<!doctype html><title>Site</title><h1>Loading</h1><script type="module">
    const headers = { 'X-API-Key': 'built-in' };
    const response = await fetch('https://api.example/public/posts' + location.search, { headers });
    document.querySelector('h1').textContent = response.status;
  </script>`;
  await page.route('https://site.example/**', (route) => route.fulfill({ contentType: 'text/html', body: site }));
});

test('passes', async ({ page, world }) => {
  world.fail('posts.list', 503);
  await page.goto('https://site.example/');
  await expect(page.locator('h1')).toHaveText('503');
});
test('has a world of its own', async ({ page, world }) => {
  await page.goto('https://site.example/');
  await expect(page.locator('h1')).toHaveText('200');
  expect(world.journal).toHaveLength(1);
});
test('is off the contract', async ({ page, world }) => {
  await page.goto('https://site.example/?limit=1000');
  await expect(page.locator('h1')).toHaveText('400');
  expect(world.journal).toHaveLength(1);
});
test('runs out of time', async ({ page, world }) => {
  world.fail('search', 503);
  const gate = world.hold('posts.list');
  await page.goto('https://site.example/');
  await gate.arrived();
  test.setTimeout(1);
  await expect(page.locator('h1')).toHaveText('200', { timeout: 0 });
});
