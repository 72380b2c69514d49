import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import type { Listening } from '../src/doors/listening.ts';
import { createMock } from '../src/node.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HOSTILE = '<img src=x onerror=alert(1)> "world"';
const mock = createMock({ baseUrl: 'https://api.example/v1' });
let server: Listening;
let address: string;
beforeAll(async () => {
  server = await mock.listen();
  address = `http://127.0.0.1:${server.port}/__mock`;
});
afterAll(() => server.close());

const ask = (path: string, apiKey: string) =>
  fetch(`${server.url}${path}`, { headers: { 'X-API-Key': apiKey } }).then(({ status }) => status);
const asPage = { headers: { accept: 'text/html' } };
const post = (form: Record<string, string>, key = mock.main.apiKey) =>
  fetch(`${address}/page?world=${encodeURIComponent(key)}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });

test('browsers get a page and programs JSON, of the same address', async () => {
  const page = await fetch(address, asPage);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain(`<code>${server.url}</code>`);
  expect(await (await fetch(address)).json()).toMatchObject({ baseUrl: server.url, worlds: [{ name: 'main' }] });
});

test('its forms need no script: what they send is done, or refused in words', async () => {
  const world = mock.world({ name: HOSTILE });
  const { apiKey } = world;
  const set = await post({ command: 'fault', target: 'tags.list', answer: '503', times: '1' }, apiKey);
  expect([set.status, set.headers.get('location')]).toEqual([303, `/__mock?world=${encodeURIComponent(apiKey)}`]);
  expect([await ask('/public/tags', apiKey), await ask('/public/tags', apiKey)]).toEqual([503, 200]);
  await post({ command: 'fault', target: 'tags.list', answer: 'reset', times: '' }, apiKey);
  await expect(ask('/public/tags', apiKey)).rejects.toThrow();
  await post({ command: 'lift', fault: 'fault-2' }, apiKey);
  expect(await ask('/public/tags', apiKey)).toBe(200);

  const refused = await post({ command: 'fault', target: 'tags.list', answer: '404' }, apiKey);
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('tags.list never answers 404')]);
  for (const [form, words] of [
    [{ command: 'advance', by: 'soon' }, 'is no duration'],
    [{ command: 'explode' }, 'explode is no command'],
    [{}, 'is no command'],
    [{ command: 'hold', target: '*', times: '1.5' }, 'times is 1.5'],
    [{ command: 'release', gate: 'gate-999' }, 'nothing holds gate-999'],
  ] as const) {
    const answer = await post(form as Record<string, string>, apiKey);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words)]);
  }
  const text = await (await fetch(`${address}?world=${encodeURIComponent(apiKey)}`, asPage)).text();
  expect(text).toContain('World &lt;img src=x onerror=alert(1)&gt; &quot;world&quot;');
  expect(text).not.toContain('<img');
  expect((await post({ command: 'drop' }, apiKey)).headers.get('location')).toBe(`/__mock?world=${mock.main.apiKey}`);
  expect(await ask('/public/tags', apiKey)).toBe(401);
  expect(await (await fetch(`${address}?world=gone`, asPage)).text()).toContain('There is no world with the key gone');
  expect((await post({ command: 'drop' })).status).toBe(400);
});

test('the OpenAPI document needs no key', async () => {
  for (const url of [`${server.url}/openapi.json`, `http://127.0.0.1:${server.port}/openapi.json`]) {
    const answer = await fetch(url);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: server.url }] });
  }
});

describeInChromium('the page in a browser', (stage) => {
  const complaints = async (page: Page): Promise<string[]> => {
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof Axe };
      return (await axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    return overflow > 0 ? [...violations, `${overflow} px too wide`] : violations;
  };

  test('it shows what happens beside it, and changes it without a reload', async () => {
    const world = mock.world({ name: 'story' });
    const page = await stage.newPage();
    page.setDefaultTimeout(4000);
    const said = recordConsole(page);
    await page.goto(address);
    await page.getByRole('link', { name: /story/ }).click();
    await page.evaluate(() => Object.assign(globalThis, { loaded: 'once' }));

    expect(await ask('/public/tags', world.apiKey)).toBe(200);
    await expect
      .poll(() => page.getByRole('region', { name: 'Journal' }).textContent())
      .toContain('GET /v1/public/tags');
    world.fail('search', 500);
    await expect.poll(() => page.getByRole('region', { name: 'Faults' }).textContent()).toContain('500');
    await page.getByRole('button', { name: 'Lift fault-1' }).click();
    await expect.poll(() => page.getByRole('region', { name: 'Faults' }).textContent()).toBe('None is set.');
    expect(await ask('/public/search?q=night', world.apiKey)).toBe(200);

    const faults = page.locator('section', { has: page.getByRole('heading', { name: 'Faults' }) });
    await faults.getByLabel('Answer').selectOption('429');
    await faults.getByRole('button', { name: 'Set fault' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('The fault is set.');
    expect(await ask('/public/tags', world.apiKey)).toBe(429);
    await faults.getByLabel('Endpoint').first().selectOption('tags.list');
    await faults.getByLabel('Answer').selectOption('404');
    await faults.getByRole('button', { name: 'Set fault' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toMatch(/tags.list never answers 404/);
    await page.getByRole('button', { name: 'Lift fault-2' }).click();

    const gates = page.locator('section', { has: page.getByRole('heading', { name: 'Gates' }) });
    await gates.getByLabel('Endpoint').selectOption('posts.list');
    await gates.getByRole('button', { name: 'Hold' }).click();
    await expect.poll(() => world.unfinished()).toContain("hold('posts.list') met no request");
    const held = ask('/public/posts', world.apiKey);
    await expect.poll(() => page.getByRole('region', { name: 'Gates' }).textContent()).toMatch(/posts.list1/);
    await page.getByRole('button', { name: /^Release/ }).click();
    expect(await held).toBe(200);

    const lenses = page.locator('section', { has: page.getByRole('heading', { name: 'Lenses' }) });
    await lenses.locator('select[name=lens]').selectOption('hostile');
    await lenses.getByRole('button', { name: 'Lay' }).click();
    await expect.poll(() => page.getByRole('region', { name: 'Lenses' }).textContent()).toContain('hostile');

    // By keyboard, and the focus stays although the time beside it is drawn anew.
    await page.getByLabel(/Length/).fill('10m');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#clock time').textContent()).toBe('2026-01-01 12:10:00');
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('by');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => page.locator('#clock time').textContent()).toBe('2026-01-01 12:00:00');
    expect(await page.evaluate(() => (globalThis as { loaded?: string }).loaded)).toBe('once');
    expect(said.filter((text) => !/status of 400/.test(text))).toEqual([]);
  });

  test('axe finds nothing, in the light, in the dark and on a phone', async () => {
    const world = mock.world({ name: HOSTILE });
    world.fail('*', 500, { times: 1 });
    world.hold('search');
    world.lens('sparse');
    await ask('/public/tags', world.apiKey);
    await ask('/public/posts?limt=3', world.apiKey);
    // What axe is added with is not of the page.
    const page = await stage.newPage({ bypassCSP: true });
    await page.goto(`${address}?world=${encodeURIComponent(world.apiKey)}`);
    await page.evaluate(AXE);
    expect(await complaints(page), 'in the light').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await complaints(page), 'in the dark').toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await complaints(page), 'on a phone').toEqual([]);
    mock.drop(world);
  });
});
