import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { MANAGER, type PanelServer, startPanel } from './panel-server.ts';
import { type Visitor, visit } from './visitor.ts';

/** A right-to-left text, in which digits would be reordered. */
const TEXT = 'שלום';
const AD = randomUUID();
const NOW = Date.now();
const BLOG = {
  id: 'news',
  name: TEXT,
  apiKeys: ['news-key'],
  categories: [{ id: 'c', name: TEXT }],
  posts: (['PUBLISHED', 'DRAFT', 'SCHEDULED'] as const).map((status, index) => ({
    id: status,
    title: TEXT,
    subtitle: TEXT,
    slug: TEXT.repeat(index + 1),
    status,
    publishedAt: status === 'PUBLISHED' ? '2026-01-01T00:00:00Z' : null,
    scheduledAt: status === 'SCHEDULED' ? '2099-01-01T00:00:00Z' : null,
  })),
  campaigns: [{ id: 'spring', sponsor: TEXT, name: TEXT, goal: { impressions: 1000 }, endsAt: '2099-01-01T00:00:00Z' }],
  ads: [
    {
      ...{ id: AD, format: 'BANNER' as const, title: TEXT, content: TEXT, linkText: TEXT, campaignId: 'spring' },
      endsAt: new Date(NOW + 86_400_000).toISOString(),
    },
  ],
};

/**
 * The elements in which the text could reorder other words or numbers, because it has no isolated element of its own.
 */
const mixedIn = (page: Visitor['page']) =>
  page.evaluate((text) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement as Element;
      if (!node.nodeValue?.includes(text) || parent.closest('script, option, textarea')) continue;
      const own = [...parent.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map(({ nodeValue }) => nodeValue);
      const isAlone =
        own
          .join('')
          .replaceAll(text, '')
          .replace(/[“”\s]/g, '') === '';
      const isolated = /isolate|plaintext/.test(getComputedStyle(parent).unicodeBidi);
      if (!isAlone || !isolated) found.push(`${parent.outerHTML.slice(0, 150)}`);
    }
    return found;
  }, TEXT);

describeInChromium('right-to-left text', (stage) => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
    await panel.store.importBlogs([BLOG], NOW);
    const delivery = { slots: [{ placement: TEXT, candidates: [AD] }], campaigns: new Map([[AD, 'spring']]) };
    await panel.store.deliver('news', delivery, NOW);
    await panel.store.invitePerson({ name: TEXT, role: 'view', blogId: 'news' }, randomUUID(), NOW);
  });
  afterAll(() => panel?.close());

  it('does not reorder the words and numbers beside it', async () => {
    const { page } = await visit(stage, panel, MANAGER);
    const mixed: string[] = [];
    for (const path of [
      ...[
        '',
        `?ad=${AD}`,
        '?campaign=spring',
        `?placement=${TEXT}`,
        '/ads',
        `/ads/${AD}`,
        '/campaigns',
        '/campaigns/spring',
      ],
      ...[
        '/posts',
        '/posts/PUBLISHED',
        '/posts/DRAFT',
        '/posts/SCHEDULED',
        '/settings',
        '/keys',
        '/embed?slot=BANNER',
        '/hooks',
        '/import',
      ],
    ]) {
      await page.goto(`${panel.url}/panel/news${path}`);
      mixed.push(...(await mixedIn(page)).map((element) => `${path}: ${element}`));
    }
    const session = await panel.session(MANAGER);
    await panel.ask(session, '/panel/news/posts.delete', { form: { post: 'DRAFT' } });
    for (const path of ['/blogs', '/people', '/news/bin', '/sign-in']) {
      await page.goto(`${panel.url}/panel${path}`);
      mixed.push(...(await mixedIn(page)).map((element) => `${path}: ${element}`));
    }
    expect(mixed).toEqual([]);
  });
});
