// Long: it opens pages in a browser with the files of two versions, and waits for the widget to try again.
import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { describeInChromium, recordConsole } from '../../../tools/testing/stage.ts';
import { WIDGET_FILES, type WidgetFileName, widgetFiles } from '../tools/files.ts';
import { useSites } from './site/sites.ts';

const SLOTS = `<broadsheet-slot name="top" format="BANNER"></broadsheet-slot><p style="height: 4000px"></p>
<broadsheet-slot name="far" format="BANNER"></broadsheet-slot>`;
const ON_DEMAND = WIDGET_FILES.filter((name) => name.endsWith('.js') && name !== 'broadsheet.js');

/** The files of this build, and of a build with another version. */
async function twoBuilds() {
  const files = await widgetFiles();
  const version = /"\?v=([0-9a-f]{16})"/.exec(files.get('broadsheet.js') ?? '')?.[1] ?? '';
  expect(version).toMatch(/^[0-9a-f]{16}$/);
  const other = [...version].reverse().join('');
  const build = (name: WidgetFileName, which: string) => (files.get(name) ?? '').replaceAll(version, which);
  return { version, other, build };
}

describeInChromium('files of two versions', (stage) => {
  const sites = useSites();
  let page: Page;
  const stats = () => page.evaluate(() => window.broadsheet?.clients?.[0]?.stats());

  beforeEach(async () => {
    sites.page.html = `${sites.head()}<body>${SLOTS}`;
    page = await stage.newPage();
  });

  /** Serves the script of one version, and its other files of the versions that `versionOf` returns. */
  async function serve(script: string, versionOf: (url: URL) => string | undefined): Promise<string[]> {
    const { build } = await twoBuilds();
    const requested: string[] = [];
    await page.route(/\/broadsheet[\w-]*\.js/, (route) => {
      const url = new URL(route.request().url());
      const name = url.pathname.slice(1) as WidgetFileName;
      if (name !== 'broadsheet.js') requested.push(url.href);
      const which = name === 'broadsheet.js' ? script : versionOf(url);
      const headers = { 'access-control-allow-origin': '*' };
      if (which === undefined) return route.fulfill({ status: 404, headers });
      return route.fulfill({ contentType: 'text/javascript', headers, body: build(name, which) });
    });
    return requested;
  }

  test('every file of a build names the same version, and another code has another one', async () => {
    const { version, build } = await twoBuilds();
    for (const name of ON_DEMAND) expect(build(name, version)).toContain(version);
  });

  test.each([
    ['old', 'new'],
    ['new', 'old'],
  ])(
    'a script of the %s version refuses files of the %s version aloud, and no error reaches the page',
    async (script) => {
      const { version, other } = await twoBuilds();
      const [own, foreign] = script === 'new' ? [version, other] : [other, version];
      const requested = await serve(own, () => foreign);
      const messages = recordConsole(page);
      const errors: unknown[] = [];
      page.on('pageerror', (error) => errors.push(error));
      await page.goto(sites.publisher.url);
      await page.locator('[name=top] a').waitFor();
      await page.mouse.wheel(0, 300);
      await expect.poll(() => messages.join('\n')).toContain('is of another version than the script; reload the page');
      await page.waitForTimeout(1500);
      expect(errors).toEqual([]);
      expect(await stats()).toMatchObject({ requested: 1, delivered: 1, rendered: 1, reused: 0 });
      for (const url of requested) expect(new URL(url).searchParams.get('v')).toBe(own);
    },
  );

  test('a page that is opened during a rolling restart fills its slots when it meets a process of its version', async () => {
    const { version, other } = await twoBuilds();
    let nth = 0;
    // The first processes have the other version: one returns 404, one ignores the version.
    await serve(version, () => [undefined, other][nth++] ?? (nth > 4 ? version : undefined));
    await page.goto(sites.publisher.url);
    await page.locator('[name=top] a').waitFor();
    await page.evaluate(() => scrollTo(0, 5000));
    await page.locator('[name=far] a').waitFor({ timeout: 60_000 });
    expect(await stats()).toMatchObject({ rendered: 2 });
  });
});
