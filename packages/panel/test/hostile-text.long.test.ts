import { randomUUID } from 'node:crypto';
import { defaultsOf, LIMITS, SnapshotAd } from '@broadsheet/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { HOSTILE_ADDRESSES, HOSTILE_WORDS } from '../../ad-widget/test/hostile.ts';
import { foreignElements, staysText } from './hostile-text.suite.ts';
import { MANAGER, type PanelServer, startPanel } from './panel-server.ts';
import { visit } from './visitor.ts';

/** The texts in groups. Each fits the shortest field, the title of an ad. */
const GROUPS: string[] = [];
for (const words of HOSTILE_WORDS) {
  const joined = `${GROUPS.at(-1) ?? ''} ${words}`;
  if (joined.length <= LIMITS.adTitle.max) GROUPS.splice(-1, 1, joined);
  else GROUPS.push(words);
}

describeInChromium('text of a user', (stage) => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
  });
  afterAll(() => panel?.close());

  it.each(GROUPS)('never becomes markup, on any page and through any field: %j', (text) =>
    staysText(
      stage,
      panel,
      text,
      HOSTILE_WORDS.filter((words) => text.includes(words)),
    ),
  );

  it('a hostile URL is shown as text and nothing else', () => {
    const [first = '', ...others] = HOSTILE_ADDRESSES.filter((address) => address.trim());
    return staysText(stage, panel, first, others);
  });

  it('is never linked or loaded as the URL of an ad', async () => {
    const ads = HOSTILE_ADDRESSES.map((address) => ({
      ...defaultsOf(SnapshotAd),
      ...{ id: randomUUID(), format: 'BANNER' as const, title: 'Ad', linkUrl: address, imageUrl: address },
    }));
    await panel.store.importBlogs([{ id: 'news', name: 'News' }], Date.now());
    for (const ad of ads) await panel.store.putAd('news', ad);
    const { page } = await visit(stage, panel, MANAGER);
    for (const path of ['', '/ads', '/embed?slot=BANNER', ...ads.map(({ id }) => `/ads/${id}`)]) {
      await page.goto(`${panel.url}/panel/news${path}`);
      const foreign = await page.evaluate(() =>
        [...document.querySelectorAll('[href], [src], [action], [formaction]')]
          .flatMap((element) => ['href', 'src', 'action', 'formaction'].map((name) => element.getAttribute(name)))
          .filter((target) => target !== null && !/^(\/panel|#page)/.test(target)),
      );
      expect(foreign, path).toEqual([]);
      expect(await foreignElements(page), path).toEqual([]);
    }
  });
});
