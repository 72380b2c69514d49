import { randomUUID } from 'node:crypto';
import { defaultsOf, LIMITS, SnapshotAd } from '@broadsheet/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { HOSTILE_ADDRESSES, HOSTILE_WORDS } from '../../ad-widget/test/hostile.ts';
import { foreignElements, staysText } from './hostile-text.suite.ts';
import { MANAGER, type PanelServer, startPanel } from './panel-server.ts';
import { visit } from './visitor.ts';

/** As many of the texts as the shortest field takes, the title of an ad. */
const TOGETHER = HOSTILE_WORDS.reduce((text, words) =>
  `${text} ${words}`.length <= LIMITS.adTitle.max ? `${text} ${words}` : text,
);

describeInChromium('text of a user', (stage) => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
  });
  afterAll(() => panel?.close());

  it('never becomes markup, on any page and through any field', { timeout: 90_000 }, () =>
    staysText(stage, panel, TOGETHER),
  );

  it.each([...HOSTILE_WORDS, ...HOSTILE_ADDRESSES.filter((address) => address.trim())])(
    '%j stays text',
    { timeout: 120_000 },
    (words) => staysText(stage, panel, words),
  );

  it('is never linked or loaded as the URL of an ad', { timeout: 90_000 }, async () => {
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
