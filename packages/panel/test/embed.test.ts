import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

describe('Embed', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let session = '';
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
    await panel.store.importBlogs([NEWS], Date.now());
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  const tagsOf = async (path: string, form?: Readonly<Record<string, string>>) => {
    const html = await (await panel.ask(session, path, form && { form })).text();
    const areas = [...html.matchAll(/<textarea [^>]*aria-label="([^"]+)"[^>]*>(.*?)<\/textarea>/gs)];
    return { html, areas: new Map(areas.map(([, name = '', code = '']) => [name, code.trim()])) };
  };

  it('asks for the slots before it offers a key', async () => {
    const { html, areas } = await tagsOf('/panel/news/embed');
    expect(areas.size).toBe(0);
    expect(html).not.toContain('keys.create');
  });

  it('shows the two tags of the README, and hashes only on request', async () => {
    const { areas } = await tagsOf('/panel/news/embed?slot=BANNER&slot=INLINE');
    expect(areas.get('Tags for the head')?.match(/&lt;\w+/g)).toEqual(['&lt;link', '&lt;script']);
    expect(areas.get('Tags for the head')).not.toMatch(/integrity|importmap/);
    expect(areas.get('Slots')?.split('\n')).toHaveLength(2);
    const pinned = await tagsOf('/panel/news/embed?slot=BANNER&pin=yes');
    expect(pinned.areas.get('Tags for the head')).toMatch(/importmap.*integrity/s);
  });

  it('a new key is in the tags that were chosen, and has its label, its first characters and its last use', async () => {
    const { html, areas } = await tagsOf('/panel/news/keys.create', { slot: 'INLINE', label: 'The site' });
    const apiKey = /bs_[\w-]{43}/.exec(html)?.[0] ?? '';
    expect(areas.get('Tags for the head')).toContain(apiKey);
    expect(areas.get('Slots')).toContain('INLINE');
    expect(html).not.toContain('method="get"');
    await panel.store.findBlog(apiKey);
    await expect.poll(async () => (await panel.store.listKeys('news')).filter(({ usedAt }) => usedAt)).toHaveLength(1);
    const { html: keys } = await tagsOf('/panel/news/keys');
    const today = new Date().toISOString().slice(0, 4);
    expect(keys).toMatch(new RegExp(`The site</bdi> <code>${apiKey.slice(0, 8)}…</code>.*${today}`));
    expect(keys).not.toContain(apiKey);
  });
});
